/// The values that were decoded from the body of a response.
///
/// A closure that converts the rows of a page reads what stands beside them for each row. It is decoded once.
final class DecodedValues: Sendable {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let path: MemberPath
    }

    private let results = Locked<[Key: any Sendable]>([:])

    /// Returns the value of a type at a path, or throws the error of its decoding.
    func value<Value: Sendable>(
        at path: MemberPath,
        _ decode: () throws -> Value
    ) throws -> Value {
        let key = Key(type: ObjectIdentifier(Value.self), path: path)
        if let result = results.withLock({ $0[key] }) as? Result<Value, any Error> {
            return try result.get()
        }
        let result = Result { try decode() }
        results.withLock { $0[key] = result }
        return try result.get()
    }
}

extension NetworkResponse {
    /// The response with a memory for decoded values, for a closure that may read some several times.
    var rememberingValues: NetworkResponse {
        var response = self
        response.decodedValues = decodedValues ?? DecodedValues()
        return response
    }
}
