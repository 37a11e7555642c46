extension NetworkRequest {
    /// Returns the same request with an error of your own in place of a ``NetworkError`` with a code.
    ///
    /// ```swift
    /// let product = NetworkRequest<Product>.get("goods", sku)
    ///     .throwing(ProductError.notFound(sku), for: .notFound)
    /// ```
    ///
    /// It replaces every ``NetworkError`` with this code that `send` would throw, also one that the
    /// `failure` of the client creates. You can call it before or after the other methods, and once
    /// for each code. If your error is a ``RequestOutcomeError`` that states that no request reached
    /// the server, although an earlier attempt may have, it becomes the cause of a ``NetworkError``.
    ///
    /// - Parameters:
    ///   - error: The error to throw.
    ///   - code: The code of the errors to replace.
    /// - Returns: A request that throws the error.
    public func throwing(_ error: any Error, for code: NetworkError.Code) -> NetworkRequest {
        var request = self
        request.parts.replacements.append((code, error))
        return request
    }

    /// Returns the same request with an output that is not optional.
    ///
    /// ```swift
    /// let product = NetworkRequest<Product?>.post("graphql").json(document)
    ///     .inside("data.product")
    ///     .unwrapped()
    ///     .throwing(ProductError.notFound(id), for: .notFound)
    /// ```
    ///
    /// Call it after ``inside(_:)``, which replaces the decoding.
    ///
    /// - Returns: A request that throws a ``NetworkError`` with code
    ///   ``NetworkError/Code-swift.struct/notFound`` if the output is `nil`.
    public func unwrapped<Value>() -> NetworkRequest<Value> where Output == Value? {
        map { value, response in
            guard let value else {
                throw NetworkError(.notFound, response: response, underlying: MissingOutput())
            }
            return value
        }
    }

    /// Returns the error to throw in place of another one.
    func replacement(for error: any Error) -> any Error {
        parts.replacements.reduce(error) { error, replacement in
            guard let error = error as? NetworkError, error.code == replacement.code else {
                return error
            }
            return replacement.error.adding(error.attempts)
        }
    }
}

/// The cause of an error about an output that is `nil`.
struct MissingOutput: Error {}
