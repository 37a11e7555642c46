import Foundation
import ProductKit
import Synchronization

/// A shop over HTTP that carries out each request it receives, and loses responses.
///
/// It adds a row for each addition, and assigns the identifiers of lists. It ignores the
/// `Idempotency-Key`, unless it recognizes keys.
final class LossyShop: Sendable {
    /// The end of a write for which the client gets no response of the shop.
    enum Loss: CaseIterable {
        case lostConnection, timeout, badGateway, unavailable, gatewayTimeout, serverError
        /// The connection is lost before the shop carries out the write.
        case notReceived
        /// The shop refuses the write.
        case refusal

        /// Those after which the shop has carried out the write.
        static var received: [Loss] { allCases.filter(\.isReceived) }

        fileprivate var isReceived: Bool { ![.notReceived, .refusal].contains(self) }

        fileprivate func response() throws -> NetworkResponse {
            switch self {
            case .lostConnection, .notReceived: throw NetworkError(.connectionLost)
            case .timeout: throw NetworkError(.timedOut)
            case .badGateway: NetworkResponse(statusCode: 502)
            case .unavailable: NetworkResponse(statusCode: 503)
            case .gatewayTimeout: NetworkResponse(statusCode: 504)
            case .serverError: NetworkResponse(statusCode: 500)
            case .refusal: NetworkResponse(statusCode: 400)
            }
        }
    }

    struct List: Codable {
        var id: String
        var name: String
        var rows: [String] = []
    }

    private struct State {
        var favorites: [String] = []
        var lists: [List] = []
        var losses: [Loss] = []
        var readFailures: [Int] = []
        var requests: [String] = []
        var keys: Set<String> = []
        var isReachable = true
    }

    private struct Body: Decodable {
        var name: String?
        var product: String?
    }

    private let recognizesKeys: Bool
    private let state = Mutex(State())

    init(recognizesKeys: Bool = false, lists: [List] = []) {
        self.recognizesKeys = recognizesKeys
        state.withLock { $0.lists = lists }
    }

    /// The methods and paths of the requests that arrived.
    var requests: [String] { state.withLock(\.requests) }
    /// The same without the reads.
    var writes: [String] { requests.filter { !$0.hasPrefix("GET") } }
    var lists: [List] { state.withLock(\.lists) }
    var favorites: [String] { state.withLock(\.favorites) }
    /// The idempotency keys of the writes that were carried out; empty for those without one.
    var keys: Set<String> { state.withLock(\.keys) }

    /// Whether requests arrive.
    var isReachable: Bool {
        get { state.withLock(\.isReachable) }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// Prepares the losses of the next writes.
    func lose(_ losses: [Loss]) {
        state.withLock { $0.losses += losses }
    }

    /// Prepares the status codes of the next reads; 0 loses the connection.
    func failReads(_ statusCodes: Int...) {
        state.withLock { $0.readFailures += statusCodes }
    }

    var networking: any Networking {
        .closure { [self] request in
            let path = Array((request.url?.pathComponents ?? []).dropFirst(2))
            let method = request.httpMethod ?? "GET"
            return try state.withLock { state in
                guard state.isReachable else { throw NetworkError(.unreachable) }
                state.requests.append("\(method) \(path.joined(separator: "/"))")
                guard method != "GET" else {
                    if !state.readFailures.isEmpty {
                        let statusCode = state.readFailures.removeFirst()
                        guard statusCode > 0 else { throw NetworkError(.connectionLost) }
                        return NetworkResponse(statusCode: statusCode, body: Data("{}".utf8))
                    }
                    return try Self.read(path, in: state)
                }
                let loss = state.losses.isEmpty ? nil : state.losses.removeFirst()
                let key = request.value(forHTTPHeaderField: "Idempotency-Key") ?? ""
                let isKnown = recognizesKeys && !key.isEmpty && state.keys.contains(key)
                if loss?.isReceived ?? true, !isKnown {
                    state.keys.insert(key)
                    let body = try JSONDecoder().decode(
                        Body.self,
                        from: request.httpBody ?? Data("{}".utf8)
                    )
                    Self.write(method, path, body, in: &state)
                }
                if let loss { return try loss.response() }
                return try Self.read(path, in: state, created: method == "POST")
            }
        }
    }

    private static func read(
        _ path: [String],
        in state: State,
        created: Bool = false
    ) throws -> NetworkResponse {
        switch (path.first, path.count) {
        case ("products", _), ("favorites", _):
            let isFavorite = state.favorites.contains(path[1])
            return .json(
                #"{"id": "\#(path[1])", "name": "Boots", "isFavorite": \#(isFavorite)}"#
            )
        case (_, 1):
            let encoder = JSONEncoder()
            if created, let last = state.lists.last {
                return NetworkResponse(body: try encoder.encode(last))
            }
            return NetworkResponse(body: try encoder.encode(["items": state.lists]))
        default:
            guard let list = state.lists.first(where: { $0.id == path[1] }) else {
                return NetworkResponse(statusCode: 404)
            }
            return NetworkResponse(body: try JSONEncoder().encode(list))
        }
    }

    private static func write(
        _ method: String,
        _ path: [String],
        _ body: Body,
        in state: inout State
    ) {
        let index = path.count < 2 ? nil : state.lists.firstIndex { $0.id == path[1] }
        switch (method, path.first, path.count) {
        case ("POST", "favorites", _), ("PUT", "favorites", _): state.favorites.append(path[1])
        case ("DELETE", "favorites", _): state.favorites.removeAll { $0 == path[1] }
        case ("POST", _, 1):
            let number = state.lists.count + 1
            state.lists.append(List(id: "list\(number)", name: body.name ?? ""))
        case ("POST", _, 3):
            if let index { state.lists[index].rows.append(body.product ?? "") }
        case ("POST", _, 2):
            if let index { state.lists[index].name = body.name ?? "" }
        case ("DELETE", _, 3):
            if let index { state.lists[index].rows.removeAll { $0 == path[2] } }
        case ("DELETE", _, 2):
            if let index { state.lists.remove(at: index) }
        default: break
        }
    }
}

extension ProductLoader {
    /// Creates a loader for a ``LossyShop``, whose favorites are added with `POST`.
    static func lossy(_ client: NetworkClient) -> ProductLoader {
        ProductLoader(
            load: { id in try await client.send(.get("products", id)) },
            setFavorite: { id, isFavorite in
                let request = NetworkRequest<Product>(
                    method: isFavorite ? "POST" : "DELETE",
                    segments: ["favorites", id.rawValue],
                    decode: { response in try response.json() }
                )
                return try await client.send(request)
            }
        )
    }
}

extension ListManager {
    /// Creates a manager for the lists of a ``LossyShop``, with a closure that loads one list or
    /// without, and with the identifier of the client as key of a creation or without.
    static func lossy(
        _ client: NetworkClient,
        canLoadOne: Bool = true,
        creationKey: Bool = false
    ) -> ListManager {
        let loadOne: @Sendable (ProductList.ID) async throws -> ProductList = { id in
            try await client.send(NetworkRequest<ListRow>.get("lists", id)).list
        }
        return ListManager(
            addProduct: { product, list in
                let request = NetworkRequest<Void>.post("lists", list, "rows")
                try await client.send(request.json(["product": product]))
            },
            removeProduct: { product, list in
                try await client.send(.delete("lists", list, product))
            },
            lists: { _ in
                let request = NetworkRequest<[ListRow]>.get("lists").inside("items")
                return Page(try await client.send(request).map(\.list))
            },
            list: canLoadOne ? loadOne : nil,
            create: { id, name in
                let request = NetworkRequest<ListRow>.post("lists").json(["name": name])
                    .header("Idempotency-Key", creationKey ? id.rawValue : nil)
                return try await client.send(request).list
            },
            rename: { id, name, _ in
                let request = NetworkRequest<ListRow>.post("lists", id).json(["name": name])
                return try await client.send(request).list
            },
            delete: { id in try await client.send(.delete("lists", id)) }
        )
    }
}

/// A list of a ``LossyShop`` as JSON.
private struct ListRow: Decodable, Sendable {
    let id: ProductList.ID
    let name: String
    let rows: [Product.ID]

    var list: ProductList { ProductList(id: id, name: name, products: rows) }
}
