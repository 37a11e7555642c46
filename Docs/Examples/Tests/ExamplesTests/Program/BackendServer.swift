import FlyingFox
import FlyingSocks
import Foundation

/// A request that came to a vendor's store, as text.
struct VendorRequest: Sendable {
    /// The method and the path with its query, as on the wire.
    let line: String
    let body: String
    let fields: [String: String]
}

/// Opens a tiny server that speaks JSON, for as long as a body runs.
///
/// - Parameters:
///   - answer: What is answered: the body, and fields beside its `Content-Type`; `nil` for 404.
///   - body: What is done meanwhile, with the server's address.
/// - Returns: What came, in order.
/// - Throws: What the body throws, or the system's reason why no port could be opened.
func withVendor(
    _ answer: @escaping @Sendable (VendorRequest) -> (json: String, fields: [String: String])?,
    _ body: (URL) async throws -> Void
) async throws -> [VendorRequest] {
    let (requests, arrivals) = AsyncStream.makeStream(of: VendorRequest.self)
    let handler = ClosureHTTPHandler { incoming in
        let query = incoming.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let request = VendorRequest(
            line: "\(incoming.method.rawValue) \(incoming.path)\(query.isEmpty ? "" : "?\(query)")",
            body: String(decoding: try await incoming.bodyData, as: UTF8.self),
            fields: Dictionary(
                incoming.headers.map { ($0.key.rawValue.lowercased(), $0.value) }
            ) { first, _ in first }
        )
        arrivals.yield(request)
        guard let (json, fields) = answer(request) else {
            return HTTPResponse(statusCode: .notFound)
        }
        var headers: HTTPHeaders = [.contentType: "application/json"]
        for (name, value) in fields { headers[HTTPHeader(name)] = value }
        return HTTPResponse(statusCode: .ok, headers: headers, body: Data(json.utf8))
    }
    let server = HTTPServer(
        address: try .inet(ip4: "127.0.0.1", port: 0),
        logger: .disabled,
        handler: handler
    )
    let serving = Task { try await server.run() }
    defer { serving.cancel() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress,
        let url = URL(string: "http://127.0.0.1:\(port)")
    else { throw CancellationError() }
    try await body(url)
    await server.stop(timeout: 0)
    arrivals.finish()
    return await requests.reduce(into: []) { $0.append($1) }
}
