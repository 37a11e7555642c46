extension JSONCase {
    static let numbers = table(
        #"""
        accept | zero | 0
        accept | a negative zero | -0
        accept | a negative zero with a fraction | -0.0
        accept | one digit | 7
        accept | many digits | 1234567890
        accept | a negative integer | -123
        accept | a negative single digit | -1
        accept | a fraction | 123.456
        accept | a fraction of zeros | 1.000
        accept | a fraction that ends in a zero | 1.50
        accept | a small fraction | 0.000001
        accept | a long fraction | 0.1234567890123456789
        accept | a zero before the point | 0.5
        either | a zero before an exponent, which the decoder refuses | 0e5
        accept | a small e | 1e2
        accept | a capital E | 1E2
        accept | an exponent with a plus | 1e+2
        accept | a capital exponent with a plus | 1E+2
        accept | an exponent with a minus | 1e-2
        accept | a capital exponent with a minus | 1E-2
        accept | a fraction with an exponent | 123.456e78
        accept | an exponent that begins with a zero | 1e05
        accept | a minus sign and an exponent | -1.5e-3
        accept | the largest integer of 64 bits | 9223372036854775807
        accept | the smallest integer of 64 bits | -9223372036854775808
        accept | the largest integer without a sign | 18446744073709551615
        accept | an integer of more than 64 bits | 100000000000000000000
        accept | a number behind a blank | «20»1
        accept | a number before a blank | 1«20»
        accept | a number before a tab | 1«09»
        accept | a number before a line feed | 1«0A»
        accept | a number before a carriage return | 1«0D»
        accept | two numbers in an array | [1,2]
        accept | a number as a member | {"a": -1.5e3}
        accept | a number close to the largest double | 1.7976931348623157e308
        accept | the smallest normal double | 2.2250738585072014e-308
        either | a number larger than a double | 1e400
        either | a negative number larger than a double | -1e400
        either | a number too small for a double | 1e-400
        either | the smallest subnormal double | 5e-324
        either | an exponent of many digits | 1e1000000000000
        either | an integer of a hundred digits | 1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
        either | a zero with a large exponent | 0e999999999
        refuse | a leading zero | 01
        refuse | a negative leading zero | -01
        refuse | two zeros | 00
        refuse | a leading zero before a point | 00.5
        refuse | a leading plus | +1
        refuse | two signs | --1
        refuse | a plus behind a minus | -+1
        refuse | a lone minus | -
        refuse | a minus and a blank | - 1
        refuse | a minus behind a number | 1-
        refuse | a minus between digits | 1-2
        refuse | a plus between digits | 1+2
        refuse | a point without digits before | .5
        refuse | a negative point without digits before | -.5
        refuse | a point without digits behind | 5.
        refuse | a negative number with nothing behind the point | -2.
        refuse | a point before an exponent | 2.e3
        refuse | a point before an exponent with a sign | 2.e+3
        refuse | a zero and a point before an exponent | 0.e1
        refuse | two points | 1.2.3
        refuse | two points in a row | 1..2
        refuse | a lone point | .
        refuse | an exponent without digits | 1e
        refuse | a capital exponent without digits | 1E
        refuse | an exponent with only a plus | 1e+
        refuse | an exponent with only a minus | 1e-
        refuse | two exponents | 1e2e3
        refuse | two signs in an exponent | 1e+-2
        refuse | a fraction in an exponent | 1e2.5
        refuse | an exponent without a number | e5
        refuse | a fraction and an exponent without digits | 0.3e
        refuse | a fraction and a capital exponent with a plus | 0.3E+
        refuse | a zero and an exponent without digits | 0e
        refuse | hexadecimal digits | 0x1F
        refuse | hexadecimal digits without a prefix | 1F
        refuse | an octal prefix | 0o17
        refuse | a binary prefix | 0b11
        refuse | a digit separator | 1_000
        refuse | a comma for the point in one number | [1,]5
        refuse | an apostrophe as a separator | 1'000
        refuse | a blank between digits | 1 000
        refuse | a letter behind a digit | 1a
        refuse | a letter between digits | 1a2
        refuse | a letter behind a point | 1.a
        refuse | not a number | NaN
        refuse | a negative not a number | -NaN
        refuse | not a number in small letters | nan
        refuse | infinity | Infinity
        refuse | a negative infinity | -Infinity
        refuse | an abbreviated infinity | Inf
        refuse | a number with a currency | 19.99€
        refuse | a percentage | 5%
        refuse | a number with a suffix for its type | 1f
        refuse | a fullwidth digit | １
        refuse | an Arabic digit | ١
        refuse | a fullwidth digit behind a digit | 1１
        refuse | a true minus sign | −1
        refuse | a calculation | 1+1
        refuse | a NUL behind a digit | 1«00»
        refuse | a NUL between digits | 1«00»2
        refuse | a byte that is no UTF-8 behind a digit | 1«E5»
        refuse | a byte that is no UTF-8 behind an exponent | 1e1«E5»
        refuse | a byte that is no UTF-8 behind a zero | 0«E5»
        refuse | a vertical tab behind a digit | 1«0B»
        refuse | a form feed behind a digit | 1«0C»
        """#
    )
}
