import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

extension HTTPResponse {
    /// Creates the server's response from the store's, which may end early on purpose.
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
            // The buffer size makes the server write the body at once.
            let body = HTTPBodySequence(
                data: response.body,
                suggestedBufferSize: max(response.body.count, 1)
            )
            self.init(statusCode: status, headers: headers, body: body)
        case .cutOff(let count):
            let body = HTTPBodySequence(
                from: TruncatedBody(bytes: response.body.prefix(count)),
                count: response.body.count
            )
            self.init(statusCode: status, headers: headers, body: body)
        case .closed:
            self.init(webSocket: ConnectionClosing())
        }
    }
}

/// A body that closes the connection after its bytes.
private struct TruncatedBody: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    var bytes: Data

    func makeAsyncIterator() -> TruncatedBody { self }

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

/// A handler that closes the connection without a response.
///
/// The server offers no direct way. A WebSocket upgrade that fails before its first byte has this
/// effect.
private struct ConnectionClosing: WSHandler {
    func makeFrames(
        for client: AsyncThrowingStream<WSFrame, any Error>
    ) async throws -> AsyncStream<WSFrame> {
        throw SocketError.disconnected
    }
}

/// The value of the `Date` header field, formatted once per second.
private enum HTTPClock {
    private static let latest = Mutex((second: 0, text: ""))

    static func now() -> String {
        let second = Int(Date().timeIntervalSince1970)
        return latest.withLock { latest in
            if latest.second != second {
                let date = Date(timeIntervalSince1970: TimeInterval(second))
                latest = (second, date.formatted(style))
            }
            return latest.text
        }
    }

    private static let style = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \
            \(year: .padded(4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
            \(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )
}
