extension MemberPath {
    /// Reads the value at this path.
    ///
    /// - Throws: `DecodingError`, which names the first member on the way that is missing, `null` or
    ///   of another kind. For an optional type the last member may be missing.
    func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from decoder: any Decoder
    ) throws -> Value {
        var decoder = decoder
        for (place, step) in steps.enumerated() {
            guard let inner = try step.decoder(in: decoder) else {
                if place == steps.count - 1, let none = type.missing { return none }
                throw DecodingError.keyNotFound(
                    step.codingKey,
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "It is missing."
                    )
                )
            }
            decoder = inner
        }
        return try decoder.singleValueContainer().decode(type)
    }

    /// Reads the value at this path, `nil` when a member on the way is missing or `null`.
    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from decoder: any Decoder
    ) throws -> Value? {
        var decoder = decoder
        for step in steps {
            guard let inner = try step.decoder(in: decoder),
                try !inner.singleValueContainer().decodeNil()
            else { return nil }
            decoder = inner
        }
        return try decoder.singleValueContainer().decode(type)
    }
}

extension MemberPath.Step {
    /// What reads the value that this step leads to; `nil` when there is none.
    fileprivate func decoder(in decoder: any Decoder) throws -> (any Decoder)? {
        switch self {
        case .member(let name):
            let container = try decoder.container(keyedBy: MemberName.self)
            let key = MemberName(stringValue: name)
            return container.contains(key) ? try container.superDecoder(forKey: key) : nil
        case .index(let index):
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd, container.currentIndex < index {
                _ = try container.decode(AnyJSON.self)
            }
            return container.isAtEnd ? nil : try container.superDecoder()
        }
    }
}

extension Decodable {
    /// What this type makes of no value: an optional one is `nil`, the others are nothing.
    fileprivate static var missing: Self? {
        (self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Self
    }
}

/// A coding key that may have any name.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        return nil
    }
}
