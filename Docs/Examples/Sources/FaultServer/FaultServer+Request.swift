public import Foundation

extension FaultServer {
    /// A request as it came over the wire.
    public struct Request: Hashable, Sendable {
        /// Which connection brought it, counted from 1.
        public let connection: Int
        /// Whether it is the first request of its connection.
        public let isFirst: Bool
        /// The request line and the fields, to the empty line.
        public let head: String
        /// As many bytes as its `Content-Length` says.
        public internal(set) var body = Data()

        /// The method.
        public var method: String {
            String(head.prefix { $0 != " " })
        }

        /// The path and query, as they were sent.
        public var target: String {
            String(head.drop { $0 != " " }.dropFirst().prefix { $0 != " " })
        }

        /// The fields' names in lower case, with what was sent for them.
        public var headers: [String: String] {
            let lines = head.split(separator: "\r\n").dropFirst()
            let fields = lines.map { line in
                let name = line.prefix { $0 != ":" }
                let value = line.dropFirst(name.count + 1).drop { $0 == " " }
                return (name.lowercased(), String(value))
            }
            return Dictionary(fields) { "\($0), \($1)" }
        }

        /// What was sent for a field; `nil` when it was not sent.
        public func header(_ name: String) -> String? {
            headers[name.lowercased()]
        }
    }
}
