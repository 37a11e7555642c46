/// The body of a GraphQL request: a document and the values of its variables.
///
/// ```swift
/// let addition = NetworkRequest<Void>.post("graphql")
///     .json(GraphQLDocument("mutation($id: ID!) { addToList(id: $id) { … } }", ["id": id]))
/// ```
///
/// The names of the variables are sent as they are, also with an encoder that converts names. The encoder encodes
/// their values. Declare requests for queries with ``NetworkRequest/reading(as:)``.
public struct GraphQLDocument: Encodable, Sendable {
    private let query: String
    private let variables: [String: EncodableValue]

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - text: The text of the document, with one operation.
    ///   - variables: The values of its variables, by their names. Those that are `nil` are left out.
    public init(_ text: String, _ variables: [String: (any Encodable & Sendable)?] = [:]) {
        query = text
        self.variables = variables.compactMapValues { $0.map(EncodableValue.init) }
    }
}

/// A value of any type as a member of a body.
struct EncodableValue: Encodable, Sendable {
    let value: any Encodable & Sendable

    func encode(to encoder: any Encoder) throws {
        // The container encodes dates, URLs and decimal numbers in the way of the encoder.
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
