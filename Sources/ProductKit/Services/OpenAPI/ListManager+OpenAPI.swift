public import Foundation

extension ListManager {
    /// Creates a manager that speaks `Docs/openapi.yaml`, the contract that the package comes with,
    /// over a client.
    ///
    /// A backend that speaks something else needs none of this: give the other initializer closures.
    public init(client: NetworkClient) {
        let contract = ListContract(client: client)
        self.init(
            addProduct: contract.add,
            removeProduct: { product, list in
                try await contract.succeedingWhenGone(.delete("lists", list, "products", product))
            },
            lists: { cursor in
                let request = NetworkRequest<Page<ProductList>>.get(
                    "lists",
                    query: ["cursor": cursor?.rawValue]
                )
                return try await client.page(request, after: cursor)
            },
            list: contract.list,
            create: contract.create,
            rename: contract.rename,
            delete: { list in
                try await contract.succeedingWhenGone(.delete("lists", list))
            }
        )
    }

    /// Creates a manager that speaks `Docs/openapi.yaml` straight from the seam.
    ///
    /// - Parameters:
    ///   - baseURL: Where the API lives, such as `https://api.example.com/v1`.
    ///   - networking: What carries the requests.
    public init(baseURL: URL, networking: any Networking = .system) {
        self.init(client: NetworkClient(baseURL: baseURL, networking: networking))
    }
}

private struct ListDraft: Encodable {
    let name: String
}

/// The operations of the contract that have more than one outcome.
private struct ListContract: Sendable {
    let client: NetworkClient

    @Sendable func list(_ id: ProductList.ID) async throws -> ProductList {
        do {
            return try await client.send(versioned(.get("lists", id).fetching(.revalidate)))
        } catch let error as NetworkError where error.code == .notFound {
            throw ListError.notFound(id)
        }
    }

    @Sendable func create(_ id: ProductList.ID, name: String) async throws -> ProductList {
        try await put(id, name: name, condition: ("If-None-Match", "*"))
    }

    @Sendable func rename(
        _ id: ProductList.ID,
        name: String,
        version: String?
    ) async throws -> ProductList {
        try await put(id, name: name, condition: ("If-Match", version))
    }

    @Sendable func add(_ product: Product.ID, list: ProductList.ID) async throws {
        do {
            try await client.send(.put("lists", list, "products", product))
        } catch let error as NetworkError where error.code == .notFound {
            if error.problem?.names(product) == true { throw ProductError.notFound(product) }
            throw ListError.notFound(list)
        }
    }

    /// Sends a removal, perhaps for the second time: what is not there has been removed.
    func succeedingWhenGone(_ request: NetworkRequest<Void>) async throws {
        do {
            try await client.send(request)
        } catch let error as NetworkError where error.code == .notFound {}
    }

    private func put(
        _ id: ProductList.ID,
        name: String,
        condition: (header: String, value: String?)
    ) async throws -> ProductList {
        let request = try NetworkRequest<ProductList>.put("lists", id)
            .json(ListDraft(name: name))
            .header(condition.header, condition.value)
        do {
            return try await client.send(versioned(request))
        } catch let error as NetworkError where error.statusCode == 412 {
            // It may be this very request whose answer was lost: then it is as it was wanted.
            let current = try await list(id)
            guard current.name == name else { throw ListError.changed(current: current) }
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

extension ProblemDetails {
    /// Whether ``instance`` is the path of this product, and not of its place in a list.
    fileprivate func names(_ product: Product.ID) -> Bool {
        guard let instance, let components = URLComponents(string: instance) else { return false }
        let segments = components.percentEncodedPath.split(separator: "/")
            .map { $0.removingPercentEncoding ?? String($0) }
        guard Array(segments.suffix(2)) == ["products", product.rawValue] else { return false }
        return segments.dropLast(3).last != "lists"
    }
}
