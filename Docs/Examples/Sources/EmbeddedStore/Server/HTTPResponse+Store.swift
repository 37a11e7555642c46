import FlyingFox
import FlyingSocks
import Foundation

extension HTTPResponse {
    /// Puts an answer on the wire, or breaks off where the answer says so.
    init(_ response: StoreResponse) {
        let status = HTTPStatusCode(
            response.status,
            phrase: StoreResponse.reason(for: response.status)
        )
        var headers = HTTPHeaders([.date: HTTPClock.now()])
        for (name, value) in response.headers {
            headers[HTTPHeader(name)] = value
        }
        switch response.ending {
        case .complete:
            // One write for the body, however long it is.
            let body = HTTPBodySequence(
                data: response.body,
                suggestedBufferSize: max(response.body.count, 1)
            )
            self.init(statusCode: status, headers: headers, body: body)
        case .cutOff(let count):
            let body = HTTPBodySequence(
                from: BreakingBytes(bytes: response.body.prefix(count)),
                count: response.body.count
            )
            self.init(statusCode: status, headers: headers, body: body)
        case .closed:
            self.init(webSocket: NoAnswer())
        }
    }
}

/// Bytes after which the connection breaks.
private struct BreakingBytes: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    var bytes: Data

    func makeAsyncIterator() -> BreakingBytes { self }

    mutating func next() async throws -> UInt8? {
        guard let byte = bytes.popFirst() else { throw SocketError.disconnected }
        return byte
    }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
        guard !bytes.isEmpty else { throw SocketError.disconnected }
        defer { bytes = Data() }
        return bytes
    }
}

/// A switch of protocols that fails before a byte is written: the one way to close a connection
/// without an answer.
private struct NoAnswer: WSHandler {
    func makeFrames(
        for client: AsyncThrowingStream<WSFrame, any Error>
    ) async throws -> AsyncStream<WSFrame> {
        throw SocketError.disconnected
    }
}
