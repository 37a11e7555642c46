import Foundation
import ProductKit
import Synchronization
import Testing

/// Code of the articles about other backends: lists that are written as a whole, and prices of all rows.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WholeListSamples {
    private let received = Lines()

    @Test func `a list is written as a whole`() async throws {
        let stored = Mutex(
            #"{"id": 1, "name": "Camp", "items": [{"product": "cup", "quantity": 2}]}"#
        )
        let client = client { request in
            if request.httpMethod == "PUT", let body = request.httpBody {
                stored.withLock { $0 = String(decoding: body, as: UTF8.self) }
            }
            return .json(stored.withLock(\.self))
        }
        @Sendable func change(
            _ id: ProductList.ID,
            _ body: (inout Crate) -> Void
        ) async throws {
            var crate = try await client.send(NetworkRequest<Crate>.get("crates", id))
            body(&crate)
            try await client.send(NetworkRequest<Void>.put("crates", id).json(crate))
        }
        let lists = ListManager(
            client: client,
            path: ["crates"],
            pages: PageFormat(items: "data", pageNumber: "page", total: "count"),
            contents: { (crate: Crate, _) in crate.contents },
            newList: { name in ["name": name] },
            newName: { id, name in
                var crate = try await client.send(NetworkRequest<Crate>.get("crates", id))
                crate.name = name
                return crate
            },
            add: { product, list in
                try await change(list.id) { crate in
                    crate.items.append(Crate.Item(product: product, quantity: 1))
                }
            },
            remove: { products, list in
                try await change(list.id) { crate in
                    crate.items.removeAll { products.contains(.init($0.product.rawValue)) }
                }
            }
        )

        try await lists.addProduct(withID: "pan", toListWithID: "1")
        try await lists.removeProduct(withID: "cup", fromListWithID: "1")
        let renamed = try await lists.renameList(withID: "1", to: "Trip")

        #expect(renamed == ProductList(id: "1", name: "Trip", products: ["pan"]))
        #expect(
            received.all.filter { $0.hasPrefix("PUT") } == [
                #"PUT {"id":"1","items":[{"product":"cup","quantity":2},"#
                    + #"{"product":"pan","quantity":1}],"name":"Camp"}"#,
                #"PUT {"id":"1","items":[{"product":"pan","quantity":1}],"name":"Camp"}"#,
                #"PUT {"id":"1","items":[{"product":"pan","quantity":1}],"name":"Trip"}"#,
            ]
        )
    }

    @Test func `one request returns the prices of all rows`() async throws {
        let client = client { request in
            switch request.url?.lastPathComponent {
            case "prices": .json(#"[{"sku": 1, "price": {"amount": "9.95", "currency": "EUR"}}]"#)
            default: .json(#"{"result": {"goods": [{"sku": 1, "label": "Pan"}]}}"#)
            }
        }
        let loader = ProductLoader(bazaar: client).completingProducts { products in
            let request = NetworkRequest<Page<GoodPrice>>.post("prices")
                .json(["skus": products.map(\.id)])
                .reading()
            let prices = try await client.send(request).items
            return products.map { product in
                var product = product
                product.prices = prices.filter { $0.sku == product.id }.map(\.price)
                return product
            }
        }

        let page = try await loader.products()

        #expect(page.items.map(\.prices) == [[Price(minorUnits: 995, currency: "EUR")]])
        #expect(received.all.last == #"POST {"skus":["1"]}"#)
    }

    private func client(
        _ respond: @escaping @Sendable (URLRequest) throws -> NetworkResponse
    ) -> NetworkClient {
        let networking: any Networking = .closure { [received] request in
            let body = request.httpBody.map { " \(String(decoding: $0, as: UTF8.self))" }
            received.add((request.httpMethod ?? "") + (body ?? ""))
            return try respond(request)
        }
        return NetworkClient(baseURL: .api, networking: networking)
    }
}

nonisolated struct Crate: Codable {
    struct Item: Codable {
        let product: Product.ID
        let quantity: Int
    }

    let id: ProductList.ID
    var name: String
    var items: [Item]

    var contents: ListLines.Contents {
        let lines = items.map { ListLines.Line(product: $0.product) }
        return ListLines.Contents(id: id, name: name, lines: lines)
    }
}

nonisolated struct GoodPrice: Decodable {
    let sku: Product.ID
    let price: Price
}
