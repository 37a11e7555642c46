import FlyingSocks
public import Foundation

extension FaultServer {
    /// The server's end of a connection.
    public struct Connection: Sendable {
        /// Which connection it is, counted from 1 in the order in which they were opened.
        public let number: Int
        private let socket: AsyncSocket

        init(_ socket: AsyncSocket, number: Int) {
            self.socket = socket
            self.number = number
            let noDelay = BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
            try? socket.socket.setValue(true, for: noDelay)
        }

        /// Sends bytes as they are.
        ///
        /// - Throws: The system's reason, when the client has gone.
        public func send(_ bytes: Data) async throws {
            try await socket.write(bytes)
        }

        /// Sends text as it is.
        ///
        /// - Throws: The system's reason, when the client has gone.
        public func send(_ text: String) async throws {
            try await send(Data(text.utf8))
        }

        /// Sends an answer that breaks no rule.
        ///
        /// - Throws: The system's reason, when the client has gone.
        public func answer(
            _ status: Int = 200,
            headers: [String] = ["Content-Type: application/json"],
            body: Data = Data(#"{"id": "boots", "name": "Boots"}"#.utf8)
        ) async throws {
            let lines = ["HTTP/1.1 \(status) "] + headers + ["Content-Length: \(body.count)"]
            let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
            try await send(Data(head.utf8) + body)
        }

        /// Sends a piece again and again, slowly, until the client goes.
        ///
        /// - Throws: Always: the system's reason, when the client has gone.
        public func drip(_ piece: String, every pause: Duration = .milliseconds(20)) async throws {
            while true {
                try await send(piece)
                try await Task.sleep(for: pause)
            }
        }

        /// Says nothing more, and waits until the client goes.
        ///
        /// - Throws: Always, when the client has gone.
        public func hang() async throws {
            while true { _ = try await socket.read(atMost: 4_096) }
        }

        /// Ends the connection as an orderly server does.
        ///
        /// - Throws: Always, to leave the answer.
        public func close() throws {
            throw SocketError.disconnected
        }

        /// Ends the connection as a crashed server does: the client's next read fails.
        ///
        /// - Throws: Always, to leave the answer.
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

/// Makes the system answer with a reset when the socket is closed.
private struct NoLinger: SocketOption {
    let name = SO_LINGER

    func makeValue(from socketValue: linger) {}

    func makeSocketValue(from value: Void) -> linger {
        linger(l_onoff: 1, l_linger: 0)
    }
}
