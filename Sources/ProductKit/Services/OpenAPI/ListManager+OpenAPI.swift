public import Foundation

extension ListManager {
    /// Creates a manager for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// For another backend, use the initializer that takes closures.
    ///
    /// - Parameter client: Sends the requests, below its base URL.
    public init(client: NetworkClient) {
        let contract = ListContract(client: client)
        self.init(
            addProduct: contract.add,
            removeProduct: contract.remove,
            lists: contract.lists,
            list: contract.list,
            create: contract.create,
            rename: contract.rename,
            delete: contract.delete
        )
    }

    /// Creates a manager for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// Its ``NetworkClient`` has only these behaviors; a ``ProductService`` adds tokens, retries and a cache.
    public init(
        baseURL: URL,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = []
    ) {
        self.init(
            client: NetworkClient(baseURL: baseURL, networking: networking, behaviors: behaviors)
        )
    }
}

/// The contract's operations on lists, a class so that all closures of a manager share one client.
private final class ListContract: Sendable {
    private let client: NetworkClient

    init(client: NetworkClient) {
        self.client = client
    }

    @Sendable func lists(after cursor: PageCursor?) async throws -> Page<ProductList> {
        try await client.send(.get("lists", query: ["cursor": cursor?.rawValue]).following(cursor))
    }

    @Sendable func remove(_ product: Product.ID, from list: ProductList.ID) async throws {
        try await client.send(.delete("lists", list, "products", product))
    }

    @Sendable func delete(_ list: ProductList.ID) async throws {
        try await client.send(.delete("lists", list))
    }

    @Sendable func list(_ id: ProductList.ID) async throws -> ProductList {
        try await NetworkError.replacingNotFound(by: ListError.notFound(id)) {
            try await client.send(versioned(.get("lists", id)))
        }
    }

    // Optional like the parameter `create`: a conversion would be an allocation for each service.
    @Sendable func create(_ id: ProductList.ID, name: String) async throws -> ProductList? {
        try await put(id, name: name, condition: ("If-None-Match", "*"))
    }

    @Sendable func rename(
        _ id: ProductList.ID,
        name: String,
        version: String?
    ) async throws -> ProductList {
        // The tag may be that of a compressed response, which never matches in an `If-Match`.
        for tag in [version, version?.uncompressedTag] {
            do {
                return try await put(id, name: name, condition: ("If-Match", tag))
            } catch ListError.changed(let current) where current.hasVersion(version) {}
        }
        throw NetworkError(
            .rejected,
            details: "The list has not changed, but the server does not accept its version "
                + "“\(version ?? "")” as a condition. Rename the list without a condition, or let the server "
                + "send a strong ETag (RFC 9110 §13.1.1)."
        )
    }

    @Sendable func add(_ product: Product.ID, list: ProductList.ID) async throws {
        do {
            try await client.send(.put("lists", list, "products", product))
        } catch let error as NetworkError where error.code == .notFound {
            if error.problem?.isAbout(product) == true { throw ProductError.notFound(product) }
            throw ListError.notFound(list)
        }
    }

    private func put(
        _ id: ProductList.ID,
        name: String,
        condition: (header: String, value: String?)
    ) async throws -> ProductList {
        let request = NetworkRequest<ProductList>.put("lists", id)
            .json(["name": name])
            .header(condition.header, condition.value)
        do {
            return try await client.send(versioned(request))
        } catch let error as NetworkError where error.statusCode == 412 {
            // An earlier attempt of this request may have succeeded although its response was lost.
            // Then the list already has the name, and the request succeeds. A list that was created may have
            // another name, because the server has trimmed it or the user has changed it since.
            let current = try await list(id)
            let isCreated = condition.header == "If-None-Match" && error.mayHaveReachedServer
            guard isCreated || current.name == name else {
                throw ListError.changed(current: current)
            }
            return current
        } catch let error as NetworkError where error.code == .notFound {
            throw ListError.notFound(id)
        }
    }

    private func versioned(_ request: NetworkRequest<ProductList>) -> NetworkRequest<ProductList> {
        request.map { list, response in
            var list = list
            list.version = response.headers["ETag"]
            return list
        }
    }
}

extension ProductList {
    /// Whether the list has a version, by a weak comparison of the tags (RFC 9110 §8.8.3.2).
    fileprivate func hasVersion(_ other: String?) -> Bool {
        guard let version, let other else { return false }
        return version.uncompressedTag == other.uncompressedTag
    }
}

extension String {
    /// The entity tag of the response before a proxy or server module compressed it.
    ///
    /// nginx then makes a tag weak (`W/"7"`). Others, such as Apache, append the content coding
    /// (`"7-gzip"`), although such a tag matches in no `If-Match` (RFC 9110 §13.1.1).
    fileprivate var uncompressedTag: String {
        let tag = trimmingPrefix("W/")
        let codings = ["gzip", "br", "zstd", "deflate", "df"]
        for suffix in codings.flatMap({ ["--\($0)\"", "-\($0)\"", ";\($0)\"", ":\($0)\""] })
        where tag.hasSuffix(suffix) {
            return tag.dropLast(suffix.count) + "\""
        }
        return String(tag)
    }
}

extension ProblemDetails {
    /// Whether ``instance`` is the path of this product, as opposed to its place in a list,
    /// `lists/{list}/products/{product}`.
    fileprivate func isAbout(_ product: Product.ID) -> Bool {
        guard let instance, let components = URLComponents(string: instance) else { return false }
        let segments = components.percentEncodedPath.split(separator: "/")
            .map { $0.removingPercentEncoding ?? String($0) }
        guard segments.dropLast().last == "products", let last = segments.last,
            Product.ID(last) == product
        else { return false }
        return segments.dropLast(3).last != "lists"
    }
}
