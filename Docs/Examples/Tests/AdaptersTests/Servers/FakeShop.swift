import Foundation
import ProductKit
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A shop in memory that responds in the format of a vendor.
final class FakeShop: Sendable {
    /// A product.
    struct Item: Sendable {
        let id: String
        var name: String
        /// The price in euros with two digits, such as `12.50`.
        var price = "12.50"
        /// Whether the name is left out of its JSON.
        var isDamaged = false
    }

    /// A list or a cart.
    struct List: Sendable {
        let id: String
        /// The token of the user; `nil` if everyone who has the identifier can use it.
        let owner: String?
        var name: String?
        var version = 1
        var lines: [(id: String, product: String)] = []
    }

    /// The products and lists of the shop.
    struct Content: Sendable {
        var items = [
            Item(id: "1", name: "Iron Pan", price: "39.95"), Item(id: "2", name: "Steel Pan"),
            Item(id: "3", name: "Mug"), Item(id: "4", name: "Kettle"),
            Item(id: "5", name: "Spoon"),
        ]
        var lists: [List] = []
        /// The number of the nonce that a store with nonces accepts.
        var nonceNumber = 1
        private var lastNumber = 0

        /// Returns a new identifier.
        mutating func nextID() -> String {
            lastNumber += 1
            return "n\(lastNumber)"
        }

        /// Returns the products with a text in their names, or with the given identifiers.
        func items(matching text: String?, ids: [String]?) -> [Item] {
            items.filter { item in
                (text.map { $0.isEmpty || item.name.localizedCaseInsensitiveContains($0) } ?? true)
                    && (ids?.contains(item.id) ?? true)
            }
        }
    }

    /// Returns the response to a request, and changes the content of the shop.
    typealias Handler = @Sendable (FakeRequest, inout Content) -> NetworkResponse

    fileprivate struct State {
        var content = Content()
        var isOnline = true
        var replacement: NetworkResponse?
        var losesWriteResponses = false
        var failures: [NetworkResponse] = []
        var writeFailures: [NetworkResponse] = []
        var readHeaders: NetworkHeaders = [:]
        var sendsETags = false
        var requests: [FakeRequest] = []
        var receivedRequests: [FakeRequest] = []
        var held: AsyncStream<Void>?
        var heldResponses: (isHeld: @Sendable (FakeRequest) -> Bool, until: AsyncStream<Void>)?
    }

    private let state = Mutex(State())
    private let handler: Handler
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    init(handler: @escaping Handler) {
        self.handler = handler
    }

    /// The products and lists of the shop.
    var content: Content {
        get { state.withLock(\.content) }
        set { state.withLock { $0.content = newValue } }
    }

    /// Whether the shop can be reached.
    var isOnline: Bool {
        get { state.withLock(\.isOnline) }
        set { state.withLock { $0.isOnline = newValue } }
    }

    /// The response to all requests, which then change nothing; `nil` for its own responses.
    var replacement: NetworkResponse? {
        get { state.withLock(\.replacement) }
        set { state.withLock { $0.replacement = newValue } }
    }

    /// Whether the connection is lost after each write was carried out.
    var losesWriteResponses: Bool {
        get { state.withLock(\.losesWriteResponses) }
        set { state.withLock { $0.losesWriteResponses = newValue } }
    }

    /// The responses to the next requests, which change nothing.
    var failures: [NetworkResponse] {
        get { state.withLock(\.failures) }
        set { state.withLock { $0.failures = newValue } }
    }

    /// The responses to the next requests that change something, and then change nothing.
    var writeFailures: [NetworkResponse] {
        get { state.withLock(\.writeFailures) }
        set { state.withLock { $0.writeFailures = newValue } }
    }

    /// The header fields of all responses to reads.
    var readHeaders: NetworkHeaders {
        get { state.withLock(\.readHeaders) }
        set { state.withLock { $0.readHeaders = newValue } }
    }

    /// Whether responses to reads have an `ETag`, and requests with the same one get a 304.
    var sendsETags: Bool {
        get { state.withLock(\.sendsETags) }
        set { state.withLock { $0.sendsETags = newValue } }
    }

    /// The requests that were sent, also while the shop could not be reached.
    var requests: [FakeRequest] { state.withLock(\.requests) }

    /// The requests that have reached the shop and change something.
    var writes: [FakeRequest] { state.withLock { $0.receivedRequests.filter(\.isWrite) } }

    /// Holds all requests back until the continuation finishes.
    func hold() -> AsyncStream<Void>.Continuation {
        let (held, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.held = held }
        return continuation
    }

    /// Holds back the responses to the next matching requests, until the continuation finishes.
    func holdResponses(
        where isHeld: @escaping @Sendable (FakeRequest) -> Bool = { _ in true }
    ) -> AsyncStream<Void>.Continuation {
        let (held, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.heldResponses = (isHeld, held) }
        return continuation
    }

    /// Responds at once to the requests from now on, while earlier responses are held back.
    func respondAtOnce() {
        state.withLock { $0.heldResponses = nil }
    }

    /// Waits for the next request.
    func waitForRequest() async {
        for await _ in arrivals.stream { return }
    }

    /// The transport to the shop.
    var networking: ClosureNetworking {
        .closure { request in
            let request = FakeRequest(request)
            let (held, heldResponses) = self.state.withLock { state in
                state.requests.append(request)
                return (state.held, state.heldResponses)
            }
            self.arrivals.continuation.yield()
            if let held { for await _ in held {} }
            try Task.checkCancellation()
            let response = try self.state.withLock { try self.response(to: request, in: &$0) }
            if let (isHeld, until) = heldResponses, isHeld(request) { for await _ in until {} }
            try Task.checkCancellation()
            return response
        }
    }

    private func response(
        to request: FakeRequest,
        in state: inout State
    ) throws -> NetworkResponse {
        guard state.isOnline else { throw NetworkError(.unreachable) }
        state.receivedRequests.append(request)
        if let replacement = state.replacement { return replacement }
        if !state.failures.isEmpty { return state.failures.removeFirst() }
        if request.isWrite, !state.writeFailures.isEmpty {
            return state.writeFailures.removeFirst()
        }
        let response = handler(request, &state.content)
        guard request.isWrite else { return state.read(response, for: request) }
        guard !state.losesWriteResponses else { throw NetworkError(.connectionLost) }
        return response
    }
}

extension FakeShop.State {
    /// Returns the response to a read with its header fields, or a 304.
    fileprivate func read(_ response: NetworkResponse, for request: FakeRequest) -> NetworkResponse
    {
        var response = response
        for (name, value) in readHeaders { response.headers[name] = value }
        guard sendsETags, response.statusCode == 200 else { return response }
        let tag = response.headers["ETag"] ?? "\"\(response.body.hashValue)\""
        response.headers["ETag"] = tag
        guard request.condition == tag else { return response }
        return NetworkResponse(statusCode: 304, headers: ["ETag": tag])
    }
}

/// A request as a server reads it.
struct FakeRequest: Sendable {
    let method: String
    let url: URL
    /// The segments of the path below the base URL, decoded.
    let path: [String]
    let query: [String: String]
    let body: Data
    /// The `ETag` of the response that the client has stored.
    let condition: String?
    /// The `ETag` of the only version that the request may replace.
    let replacedVersion: String?
    /// The token; `nil` for a guest.
    let user: String?
    /// The nonce of a store that requires one.
    let nonce: String?

    init(_ request: URLRequest) {
        method = request.httpMethod ?? "GET"
        url = request.url ?? .store
        path = url.path(percentEncoded: true).split(separator: "/").dropFirst()
            .map { $0.removingPercentEncoding ?? "" }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { _, last in last }
        body = request.httpBody ?? Data()
        condition = request.value(forHTTPHeaderField: "If-None-Match")
        replacedVersion = request.value(forHTTPHeaderField: "If-Match")
        let field =
            request.value(forHTTPHeaderField: "Authorization")
            ?? request.value(forHTTPHeaderField: "X-Shopify-Storefront-Access-Token")
        user = field?.split(separator: " ").last.map(String.init)
        nonce = request.value(forHTTPHeaderField: "Nonce")
    }

    /// Whether it is a request that changes something: a GraphQL query is not one.
    var isWrite: Bool {
        method != "GET" && !String(decoding: body, as: UTF8.self).contains("\"query\":\"query")
    }

    /// The members of the JSON body.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }
}

extension NetworkResponse {
    /// Creates a response with a JSON object or array as its body.
    static func object(
        _ value: Any,
        statusCode: Int = 200,
        headers: NetworkHeaders = [:]
    ) -> NetworkResponse {
        let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        return .json(
            String(decoding: data ?? Data(), as: UTF8.self),
            statusCode: statusCode,
            headers: headers
        )
    }
}
