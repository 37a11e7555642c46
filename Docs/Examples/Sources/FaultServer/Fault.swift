import Foundation

/// A defect of a server, present in each of its responses.
public struct Fault: Sendable {
    /// The defect as a clause, such as “sends invalid gzip data”.
    public let name: String
    /// The closure that responds to a request.
    public let handler: FaultServer.Handler

    /// Creates a fault.
    public init(_ name: String, handler: @escaping FaultServer.Handler) {
        self.name = name
        self.handler = handler
    }

    /// Creates a fault that sends the same lines for each request and keeps the connection open.
    ///
    /// Each line ends with CRLF, except for the last.
    init(_ name: String, sends lines: [String]) {
        let text = lines.joined(separator: "\r\n")
        self.init(name) { _, connection in try await connection.send(text) }
    }

    /// Creates a fault that sends the same lines for each request and closes the connection.
    ///
    /// Each line ends with CRLF, except for the last.
    init(_ name: String, closesAfter lines: [String]) {
        let text = lines.joined(separator: "\r\n")
        self.init(name) { _, connection in
            try await connection.send(text)
            try connection.close()
        }
    }

    /// Creates a fault that sends the same body, with a correct length, for each request.
    init(_ name: String, status: Int = 200, headers: [String], body: Data) {
        self.init(name) { _, connection in
            try await connection.respond(status, headers: headers, body: body)
        }
    }
}

extension Fault {
    /// No defect: sends a valid response with a product, for comparison.
    public static let validResponse = Fault("sends a valid response") { _, connection in
        try await connection.respond()
    }
}

extension Fault: CustomStringConvertible {
    /// The name of the fault.
    public var description: String { name }
}
