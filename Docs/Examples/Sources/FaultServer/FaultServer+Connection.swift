import FlyingSocks
public import Foundation

extension FaultServer {
    /// The server's end of a connection.
    public struct Connection: Sendable {
        /// The number of the connection, in the order of opening, from 1.
        public let number: Int
        private let socket: AsyncSocket

        init(_ socket: AsyncSocket, number: Int) {
            self.socket = socket
            self.number = number
            let noDelay = BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
            try? socket.socket.setValue(true, for: noDelay)
        }

        /// Sends bytes unchanged.
        ///
        /// - Throws: A socket error if the client closed the connection.
        public func send(_ bytes: Data) async throws {
            try await socket.write(bytes)
        }

        /// Sends text unchanged, as UTF-8.
        ///
        /// - Throws: A socket error if the client closed the connection.
        public func send(_ text: String) async throws {
            try await send(Data(text.utf8))
        }

        /// Sends a valid response.
        ///
        /// - Throws: A socket error if the client closed the connection.
        public func respond(
            _ status: Int = 200,
            headers: [String] = ["Content-Type: application/json"],
            body: Data = Data(#"{"id": "boots", "name": "Boots"}"#.utf8)
        ) async throws {
            let lines = ["HTTP/1.1 \(status) "] + headers + ["Content-Length: \(body.count)"]
            let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
            try await send(Data(head.utf8) + body)
        }

        /// Sends the same text repeatedly until the client closes the connection.
        ///
        /// - Throws: A socket error when the client has closed the connection. It never returns.
        public func drip(_ piece: String, every pause: Duration = .milliseconds(20)) async throws {
            while true {
                try await send(piece)
                try await Task.sleep(for: pause)
            }
        }

        /// Sends nothing and waits until the client closes the connection.
        ///
        /// - Throws: A socket error when the client has closed the connection. It never returns.
        public func hang() async throws {
            while true { _ = try await socket.read(atMost: 4_096) }
        }

        /// Closes the connection normally.
        ///
        /// - Throws: Always, which ends the handler.
        public func close() throws {
            throw SocketError.disconnected
        }

        /// Resets the connection, as a server that crashed does.
        ///
        /// The client fails at its next read.
        ///
        /// - Throws: Always, which ends the handler.
        public func reset() throws {
            try socket.socket.setValue((), for: NoLinger())
            throw SocketError.disconnected
        }

        func nextRequest(isFirst: Bool) async throws -> Request {
            var head = Data()
            let end = Data("\r\n\r\n".utf8)
            while head.suffix(4) != end { head.append(try await socket.read()) }
            var request = Request(
                connection: number,
                isFirst: isFirst,
                head: String(decoding: head, as: UTF8.self)
            )
            let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
            request.body = Data(try await socket.read(bytes: length))
            return request
        }
    }
}

/// A socket option with which closing the socket resets the connection.
private struct NoLinger: SocketOption {
    let name = SO_LINGER

    func makeValue(from socketValue: linger) {}

    func makeSocketValue(from value: Void) -> linger {
        linger(l_onoff: 1, l_linger: 0)
    }
}
