extension JSONCase {
    static let structures = table(
        #"""
        accept | null | null
        accept | true | true
        accept | false | false
        accept | an empty array | []
        accept | an empty object | {}
        accept | whitespace in an empty array | [«20 09 0A 0D»]
        accept | whitespace in an empty object | {«20 09 0A 0D»}
        accept | an array of an empty array | [[]]
        accept | an array of an empty string | [""]
        accept | an array of null | [null]
        accept | several nulls | [1,null,null,2]
        accept | all kinds of values | [null, 1, "1", {}, [], true, false]
        accept | whitespace everywhere | «0A»[«20»1«09»,«0D»2«20»]«20»
        accept | no whitespace | [1,"a",{"b":[2]},null]
        accept | an object | {"a": 1}
        accept | an object of several members | {"a": 1, "b": [2], "c": {"d": null}}
        accept | whitespace in an object | {«0A»"a"«20»:«09»1«0D»}
        accept | a member twice | {"a": 1, "a": 1}
        accept | a long member name | {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": 1}
        accept | a member name that looks like brackets | {"]}": "[{"}
        accept | member names that differ by case | {"a": 1, "A": 2}
        accept | objects in an array in an object | {"a": [{"b": 1}, {"b": 2}]}
        accept | ten nested arrays | [[[[[[[[[[]]]]]]]]]]
        accept | ten nested objects | {"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}}
        accept | alternating objects and arrays | [{"a":[{"a":[{"a":[]}]}]}]
        accept | a date as a string | {"at": "2026-08-01T10:00:00Z"}
        accept | a member called null | {"null": null}
        reject | a single comma | ,
        reject | a comma after a value | 1,
        reject | a comma before a value | ,1
        reject | two commas | 1,,2
        reject | a comma after a comma and a space | 1, ,2
        reject | a comma before an array | ,[1]
        reject | a comma in an empty array | [,]
        reject | a comma at the beginning of an array | [,1]
        reject | two commas in an array | [1,,2]
        reject | a colon in an array | ["a": 1]
        reject | a colon for a comma | [1:2]
        reject | a semicolon for a comma | [1;2]
        reject | a space for a comma | [1 2]
        reject | nothing for a comma | [3[4]]
        reject | a value after an array | [1]1
        reject | an array after an array | [1][2]
        reject | an object after an object | {}{}
        reject | an opening bracket | [
        reject | an opening brace | {
        reject | a closing brace | }
        reject | an array closed like an object | [1}
        reject | an object closed like an array | {"a": 1]
        reject | brackets closed in the wrong order | [{"a": 1]}
        reject | an array without an end | [1
        reject | an array that ends after a comma | [1,
        reject | an array that ends in a string | ["a
        reject | an object without an end | {"a": 1
        reject | an object that ends after a member name | {"a"
        reject | an object that ends after a colon | {"a":
        reject | an object that ends after a comma | {"a": 1,
        reject | an object without a value | {"a":}
        reject | an object without a member name | {: 1}
        reject | an object with a name only | {"a"}
        reject | a comma in an empty object | {,}
        reject | a comma at the beginning of an object | {,"a": 1}
        reject | two commas in an object | {"a": 1,,"b": 2}
        reject | two commas at the end of an object | {"a": 0,,}
        reject | two colons | {"a":: 1}
        reject | a comma for a colon | {"a", 1}
        reject | an equals sign for a colon | {"a" = 1}
        reject | an arrow for a colon | {"a" => 1}
        reject | a space for a colon | {"a" 1}
        reject | a semicolon in an object | {"a": 1; "b": 2}
        reject | two members without a comma | {"a": 1 "b": 2}
        reject | two values for a member name | {"a": 1 2}
        reject | a member that is an array's element | {"a": 1, 2}
        reject | a member name without quotes | {a: 1}
        reject | a member name in single quotes | {'a': 1}
        reject | a number as a member name | {1: 1}
        reject | null as a member name | {null: 1}
        reject | an array as a member name | {[1]: 1}
        reject | a bracket as a member name | {[: "x"}
        reject | a member that is cut off in its array | {"a": [1}
        reject | a literal in uppercase | TRUE
        reject | a capitalized literal | Null
        reject | half of null | nul
        reject | half of true | tru
        reject | half of false | fals
        reject | a letter after null | nulls
        reject | a letter after true | truth
        reject | two literals | true false
        reject | a literal undefined | undefined
        reject | a literal None | None
        reject | a literal yes | yes
        reject | a comment after a value | 1 /* one */
        reject | a comment before a value | /* one */ 1
        reject | a comment after slashes | 1 // one
        reject | a comment after a hash | 1 # one
        reject | a comment in an array | [1 /* one */]
        reject | a slash after a value | 1/
        reject | markup | <null>
        reject | an HTML document | <!DOCTYPE html>
        reject | an asterisk | *
        reject | an ellipsis | [1, ...]
        reject | parentheses | (1)
        reject | an escaped space between values | [1,\u0020 2]
        reject | an escaped array | \u005B1\u005D
        reject | a backslash | \
        reject | a backslash after a value | 1\n
        reject | an escape outside of a string | \n
        reject | an ampersand | &
        reject | a function | f(1)
        reject | a template | {{a}}
        """#
    )
}
