public import Foundation

extension FaultServer {
    /// A request as the server received it.
    public struct Request: Hashable, Sendable {
        /// The number of the connection, from 1.
        public let connection: Int
        /// Whether it is the first request on its connection.
        public let isFirst: Bool
        /// The request line and the header fields, including the empty line.
        public let head: String
        /// The body, as long as `Content-Length` states.
        public internal(set) var body = Data()

        /// The request method.
        public var method: String {
            String(head.prefix { $0 != " " })
        }

        /// The path and query as sent.
        public var target: String {
            String(head.drop { $0 != " " }.dropFirst().prefix { $0 != " " })
        }

        /// The header fields by lowercase name.
        public var headers: [String: String] {
            let lines = head.split(separator: "\r\n").dropFirst()
            let fields = lines.map { line in
                let name = line.prefix { $0 != ":" }
                let value = line.dropFirst(name.count + 1).drop { $0 == " " }
                return (name.lowercased(), String(value))
            }
            return Dictionary(fields) { "\($0), \($1)" }
        }

        /// Returns the value of a header field, or `nil` if the field is missing.
        public func header(_ name: String) -> String? {
            headers[name.lowercased()]
        }
    }
}
