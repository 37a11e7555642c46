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
        accept | a zero before the decimal point | 0.5
        either | a zero before an exponent, which the decoder rejects | 0e5
        accept | a lowercase e | 1e2
        accept | an uppercase E | 1E2
        accept | an exponent with a plus | 1e+2
        accept | an uppercase exponent with a plus | 1E+2
        accept | an exponent with a minus | 1e-2
        accept | an uppercase exponent with a minus | 1E-2
        accept | a fraction with an exponent | 123.456e78
        accept | an exponent that begins with a zero | 1e05
        accept | a minus sign and an exponent | -1.5e-3
        accept | the largest integer of 64 bits | 9223372036854775807
        accept | the smallest integer of 64 bits | -9223372036854775808
        accept | the largest unsigned integer of 64 bits | 18446744073709551615
        accept | an integer of more than 64 bits | 100000000000000000000
        accept | a number after a space | «20»1
        accept | a number before a space | 1«20»
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
        reject | a leading zero | 01
        reject | a negative leading zero | -01
        reject | two zeros | 00
        reject | a leading zero before a decimal point | 00.5
        reject | a leading plus | +1
        reject | two signs | --1
        reject | a plus after a minus | -+1
        reject | a single minus | -
        reject | a minus and a space | - 1
        reject | a minus after a number | 1-
        reject | a minus between digits | 1-2
        reject | a plus between digits | 1+2
        reject | a decimal point without digits before | .5
        reject | a negative decimal point without digits before | -.5
        reject | a decimal point without digits after | 5.
        reject | a negative number with nothing after the decimal point | -2.
        reject | a decimal point before an exponent | 2.e3
        reject | a decimal point before an exponent with a sign | 2.e+3
        reject | a zero and a decimal point before an exponent | 0.e1
        reject | two decimal points | 1.2.3
        reject | two consecutive decimal points | 1..2
        reject | a single decimal point | .
        reject | an exponent without digits | 1e
        reject | an uppercase exponent without digits | 1E
        reject | an exponent with only a plus | 1e+
        reject | an exponent with only a minus | 1e-
        reject | two exponents | 1e2e3
        reject | two signs in an exponent | 1e+-2
        reject | a fraction in an exponent | 1e2.5
        reject | an exponent without a number | e5
        reject | a fraction and an exponent without digits | 0.3e
        reject | a fraction and an uppercase exponent with a plus | 0.3E+
        reject | a zero and an exponent without digits | 0e
        reject | hexadecimal digits | 0x1F
        reject | hexadecimal digits without a prefix | 1F
        reject | an octal prefix | 0o17
        reject | a binary prefix | 0b11
        reject | a digit separator | 1_000
        reject | a number after an array | [1,]5
        reject | an apostrophe as a separator | 1'000
        reject | a space between digits | 1 000
        reject | a letter after a digit | 1a
        reject | a letter between digits | 1a2
        reject | a letter after a decimal point | 1.a
        reject | not a number | NaN
        reject | a negative not a number | -NaN
        reject | not a number in lowercase | nan
        reject | infinity | Infinity
        reject | a negative infinity | -Infinity
        reject | an abbreviated infinity | Inf
        reject | a number with a currency | 19.99€
        reject | a percentage | 5%
        reject | a number with a type suffix | 1f
        reject | a fullwidth digit | １
        reject | an Arabic digit | ١
        reject | a fullwidth digit after a digit | 1１
        reject | a Unicode minus sign | −1
        reject | an expression | 1+1
        reject | a NUL after a digit | 1«00»
        reject | a NUL between digits | 1«00»2
        reject | an invalid UTF-8 byte after a digit | 1«E5»
        reject | an invalid UTF-8 byte after an exponent | 1e1«E5»
        reject | an invalid UTF-8 byte after a zero | 0«E5»
        reject | a vertical tab after a digit | 1«0B»
        reject | a form feed after a digit | 1«0C»
        """#
    )
}
