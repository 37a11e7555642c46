#if os(Linux) && canImport(Glibc) && !THREAD_SANITIZER
import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import NIOSSL
import ProductKit
import SecuredServer
import Synchronization
import Testing

/// Bodies over TLS that end with the connection, so that their end may be missing (RFC 9112 §9.8).
@Suite(.serialized, .timeLimit(.minutes(5))) struct UncleanClosureTests {
    // Rule: cache/unbounded-body-is-not-stored (75)
    @Test(arguments: [true, false])
    func `a body without a length is returned and not stored`(closesProperly: Bool) async throws {
        try await withRawServer(closesProperly: closesProperly) { server, url in
            let cache = ResponseCache()
            let client = NetworkClient(
                baseURL: url,
                networking: try CurlTransport(),
                behaviors: [CachingBehavior(cache: cache, partition: { "anna" })]
            )
            let request = NetworkRequest<Product>.get("products", "boots")
            server.text = Self.response("Content-Length: 32", "Boots")
            let complete = try await client.send(request)
            #expect(complete.name == "Boots")

            server.text = Self.response("Connection: close", "Other")
            let unbounded = try await client.send(request.fetching(.reload))
            let stored = try await client.send(request.fetching(.cacheOnly))

            #expect(unbounded.name == "Other" && stored.name == "Boots")
        }
    }

    // Rule: cache/unbounded-body-is-not-stored (75)
    @Test func `a body without its end does not remove the stored response`() async throws {
        try await withRawServer(closesProperly: false) { server, url in
            let client = NetworkClient(
                baseURL: url,
                networking: try CurlTransport(),
                behaviors: [CachingBehavior(cache: ResponseCache(), partition: { "anna" })]
            )
            let request = NetworkRequest<Product>.get("products", "boots")
            server.text = Self.response("Content-Length: 32", "Boots")
            _ = try await client.send(request)

            server.text = String(Self.response("Connection: close", "Other").dropLast(5))
            _ = try? await client.send(request.fetching(.reload))

            #expect(try await client.send(request.fetching(.cacheOnly)).name == "Boots")
        }
    }

    // Rule: security/response-belongs-to-its-request (40)
    @Test func `over TLS, the next request gets its own response`() async throws {
        try await withRawServer(closesProperly: true) { server, url in
            let networking = try CurlTransport()
            let other = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"
            for _ in 1...5 {
                server.text = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
                server.laterText = "firs" + other
                let first = try? await networking.response(for: URLRequest(url: url))
                #expect(first.map { String(decoding: $0.body, as: UTF8.self) } ?? "firs" == "firs")
                server.text = Self.response("Content-Length: 32", "Boots")
                server.laterText = nil

                let next = try await networking.response(for: URLRequest(url: url))

                #expect(String(decoding: next.body, as: UTF8.self).contains("Boots"))
            }
        }
    }

    private static func response(_ field: String, _ name: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: max-age=60\r\n"
            + "\(field)\r\n\r\n" + #"{"id": "boots", "name": "\#(name)"}"#
    }

    private func withRawServer(
        closesProperly: Bool,
        _ body: (RawServer, URL) async throws -> Void
    ) async throws {
        let security = try TestAuthority.trusted().configuration(for: .valid)
        let context = try NIOSSLContext(configuration: security)
        let server = RawServer(closesProperly: closesProperly)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(RawResponder(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        defer { listener.close(promise: nil) }
        let url = URL(string: "https://localhost:\(listener.localAddress?.port ?? 0)/v1")
        try await body(server, try #require(url))
    }
}

/// A server that sends one text as each response.
private final class RawServer: Sendable {
    let closesProperly: Bool
    private let current = Mutex("")
    private let later = Mutex<String?>(nil)

    init(closesProperly: Bool) {
        self.closesProperly = closesProperly
    }

    /// The text that follows in a TLS record of its own.
    var laterText: String? {
        get { later.withLock(\.self) }
        set { later.withLock { $0 = newValue } }
    }

    var text: String {
        get { current.withLock(\.self) }
        set { current.withLock { $0 = newValue } }
    }
}

private final class RawResponder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: RawServer

    init(_ server: RawServer) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = server.text
        let written = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: written)
        if let later = server.laterText {
            context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(20)) {
                context.writeAndFlush(NIOAny(ByteBuffer(string: later)), promise: nil)
            }
        }
        guard text.contains("Connection: close") else { return }
        let channel = context.channel
        let closesProperly = server.closesProperly
        written.futureResult.whenSuccess {
            guard !closesProperly else { return channel.close(promise: nil) }
            // Without the handler of TLS, the connection closes without close_notify.
            let unsecured = channel.pipeline.handler(type: NIOSSLServerHandler.self)
                .flatMap { channel.pipeline.syncOperations.removeHandler($0) }
            unsecured.whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
#endif
