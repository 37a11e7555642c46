extension JSONCase {
    static let structures = table(
        #"""
        accept | null | null
        accept | true | true
        accept | false | false
        accept | an empty array | []
        accept | an empty object | {}
        accept | blanks in an empty array | [«20 09 0A 0D»]
        accept | blanks in an empty object | {«20 09 0A 0D»}
        accept | an array of an empty array | [[]]
        accept | an array of an empty string | [""]
        accept | an array of null | [null]
        accept | several nulls | [1,null,null,2]
        accept | all kinds of values | [null, 1, "1", {}, [], true, false]
        accept | blanks everywhere | «0A»[«20»1«09»,«0D»2«20»]«20»
        accept | no blanks | [1,"a",{"b":[2]},null]
        accept | an object | {"a": 1}
        accept | an object of several members | {"a": 1, "b": [2], "c": {"d": null}}
        accept | blanks in an object | {«0A»"a"«20»:«09»1«0D»}
        accept | a member twice | {"a": 1, "a": 1}
        accept | a long key | {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": 1}
        accept | a key that looks like brackets | {"]}": "[{"}
        accept | keys that differ by case | {"a": 1, "A": 2}
        accept | objects in an array in an object | {"a": [{"b": 1}, {"b": 2}]}
        accept | ten arrays in each other | [[[[[[[[[[]]]]]]]]]]
        accept | ten objects in each other | {"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}}
        accept | objects and arrays by turns | [{"a":[{"a":[{"a":[]}]}]}]
        accept | a date as a text | {"at": "2026-08-01T10:00:00Z"}
        accept | a member called null | {"null": null}
        refuse | a lone comma | ,
        refuse | a comma behind a value | 1,
        refuse | a comma before a value | ,1
        refuse | two commas | 1,,2
        refuse | a comma behind a comma and a blank | 1, ,2
        refuse | a comma before an array | ,[1]
        refuse | a comma in an empty array | [,]
        refuse | a comma at the beginning of an array | [,1]
        refuse | two commas in an array | [1,,2]
        refuse | a colon in an array | ["a": 1]
        refuse | a colon for a comma | [1:2]
        refuse | a semicolon for a comma | [1;2]
        refuse | a blank for a comma | [1 2]
        refuse | nothing for a comma | [3[4]]
        refuse | a value behind an array | [1]1
        refuse | an array behind an array | [1][2]
        refuse | an object behind an object | {}{}
        refuse | an opening bracket | [
        refuse | an opening brace | {
        refuse | a closing brace | }
        refuse | an array closed like an object | [1}
        refuse | an object closed like an array | {"a": 1]
        refuse | brackets closed in the wrong order | [{"a": 1]}
        refuse | an array without an end | [1
        refuse | an array that ends behind a comma | [1,
        refuse | an array that ends in a string | ["a
        refuse | an object without an end | {"a": 1
        refuse | an object that ends behind a key | {"a"
        refuse | an object that ends behind a colon | {"a":
        refuse | an object that ends behind a comma | {"a": 1,
        refuse | an object without a value | {"a":}
        refuse | an object without a key | {: 1}
        refuse | an object of a key alone | {"a"}
        refuse | a comma in an empty object | {,}
        refuse | a comma at the beginning of an object | {,"a": 1}
        refuse | two commas in an object | {"a": 1,,"b": 2}
        refuse | two commas at the end of an object | {"a": 0,,}
        refuse | two colons | {"a":: 1}
        refuse | a comma for a colon | {"a", 1}
        refuse | an equals sign for a colon | {"a" = 1}
        refuse | an arrow for a colon | {"a" => 1}
        refuse | a blank for a colon | {"a" 1}
        refuse | a semicolon in an object | {"a": 1; "b": 2}
        refuse | two members without a comma | {"a": 1 "b": 2}
        refuse | two values for a key | {"a": 1 2}
        refuse | a member that is an array's element | {"a": 1, 2}
        refuse | a key without quotes | {a: 1}
        refuse | a key in single quotes | {'a': 1}
        refuse | a number as a key | {1: 1}
        refuse | null as a key | {null: 1}
        refuse | an array as a key | {[1]: 1}
        refuse | a bracket as a key | {[: "x"}
        refuse | a member that is cut off in its array | {"a": [1}
        refuse | a literal in capitals | TRUE
        refuse | a literal with a capital | Null
        refuse | half of null | nul
        refuse | half of true | tru
        refuse | half of false | fals
        refuse | a letter behind null | nulls
        refuse | a letter behind true | truth
        refuse | two literals | true false
        refuse | undefined | undefined
        refuse | none | None
        refuse | yes | yes
        refuse | a comment behind a value | 1 /* one */
        refuse | a comment before a value | /* one */ 1
        refuse | a comment behind slashes | 1 // one
        refuse | a comment behind a hash | 1 # one
        refuse | a comment in an array | [1 /* one */]
        refuse | a slash behind a value | 1/
        refuse | markup | <null>
        refuse | a web page | <!DOCTYPE html>
        refuse | an asterisk | *
        refuse | three points | [1, ...]
        refuse | parentheses | (1)
        refuse | an escaped blank between values | [1,\u0020 2]
        refuse | an escaped array | \u005B1\u005D
        refuse | a backslash | \
        refuse | a backslash behind a value | 1\n
        refuse | an escape without a string | \n
        refuse | an ampersand | &
        refuse | a function | f(1)
        refuse | a template | {{a}}
        """#
    )
}
