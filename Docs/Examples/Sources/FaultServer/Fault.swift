import Foundation

/// Something that a server does wrong, with every answer.
public struct Fault: Sendable {
    /// What it does, as a clause.
    public let name: String
    /// How it answers.
    public let answer: FaultServer.Answer

    /// Creates a fault.
    public init(_ name: String, answer: @escaping FaultServer.Answer) {
        self.name = name
        self.answer = answer
    }

    /// Creates a fault that sends the same lines to everybody and then keeps the connection.
    ///
    /// Each line ends as HTTP wants it, but for the last, which ends as it is.
    init(_ name: String, sends lines: [String]) {
        let text = lines.joined(separator: "\r\n")
        self.init(name) { _, connection in try await connection.send(text) }
    }

    /// Creates a fault that sends the same lines to everybody and then closes the connection.
    init(_ name: String, closesAfter lines: [String]) {
        let text = lines.joined(separator: "\r\n")
        self.init(name) { _, connection in
            try await connection.send(text)
            try connection.close()
        }
    }

    /// Creates a fault that answers everybody with a body as it should be sent.
    init(_ name: String, status: Int = 200, headers: [String], body: Data) {
        self.init(name) { _, connection in
            try await connection.answer(status, headers: headers, body: body)
        }
    }
}

extension Fault {
    /// Does nothing wrong, to compare with: sends a product as it should be sent.
    public static let sound = Fault("answers as it should") { _, connection in
        try await connection.answer()
    }
}

extension Fault: CustomStringConvertible {
    /// What it does.
    public var description: String { name }
}
