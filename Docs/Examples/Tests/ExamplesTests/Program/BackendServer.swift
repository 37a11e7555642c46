import FlyingFox
import FlyingSocks
import Foundation

/// A small HTTP server that responds with JSON as another backend would.
enum BackendServer {
    /// A request that the server has received, as text.
    struct Request: Sendable {
        /// The method, and the path with its query.
        let line: String
        let body: String
        /// The header fields, with names in lower case.
        let fields: [String: String]
    }

    /// Runs a server while the body runs.
    ///
    /// - Parameters:
    ///   - respond: Returns the body of a response, and its header fields other than `Content-Type`;
    ///     `nil` for a 404.
    ///   - body: Uses the base URL of the server.
    /// - Returns: The requests, in order.
    /// - Throws: Any error of the body, or the error of the system if it cannot open a port.
    static func run(
        _ respond: @escaping @Sendable (Request) -> (json: String, fields: [String: String])?,
        during body: (URL) async throws -> Void
    ) async throws -> [Request] {
        let (requests, continuation) = AsyncStream.makeStream(of: Request.self)
        let handler = ClosureHTTPHandler { incoming in
            let query = incoming.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            let target = query.isEmpty ? incoming.path : "\(incoming.path)?\(query)"
            let request = Request(
                line: "\(incoming.method.rawValue) \(target)",
                body: String(decoding: try await incoming.bodyData, as: UTF8.self),
                fields: Dictionary(
                    incoming.headers.map { ($0.key.rawValue.lowercased(), $0.value) }
                ) { first, _ in first }
            )
            continuation.yield(request)
            guard let (json, fields) = respond(request) else {
                return HTTPResponse(statusCode: .notFound)
            }
            var headers: HTTPHeaders = [.contentType: "application/json"]
            for (name, value) in fields { headers[HTTPHeader(name)] = value }
            return HTTPResponse(statusCode: .ok, headers: headers, body: Data(json.utf8))
        }
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0),
            timeout: 120,
            logger: .disabled,
            handler: handler
        )
        let serving = Task { try await server.run() }
        defer { serving.cancel() }
        try await server.waitUntilListening(timeout: 120)
        guard case .ip4(_, let port) = await server.listeningAddress,
            let url = URL(string: "http://127.0.0.1:\(port)")
        else { throw CancellationError() }
        try await body(url)
        await server.stop(timeout: 0)
        continuation.finish()
        return await requests.reduce(into: []) { $0.append($1) }
    }
}
