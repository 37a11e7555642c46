import Benchmarking
import Foundation
import Loads
import ProductKit

extension Benchmark {
    /// The cost of a service with a token and a cache in memory, over networking that responds at once.
    static let services = [
        Benchmark(
            "service/create",
            "a service of one of many users / its user alone",
            .allocations(25)
        ) { referee in
            let backend = ProductBackend(baseURL: baseURL, cache: ResponseCache())
            let euros = LocalUser(currency: "EUR")
            return try await referee.compare { count in
                try await Background.run {
                    for _ in 0..<count {
                        keep(ProductService(backend: backend, localUser: euros, user: user()))
                    }
                }
            } with: { count in
                try await Background.run { for _ in 0..<count { keep(user()) } }
            }
        },
        load("service/hit", "a product from the cache", .cacheFirst, .allocations(72)),
        load("service/miss", "a product of the server, and storing it", .reload, .allocations(137)),
    ]

    private static let baseURL = URL(string: "https://shop.example/v1") ?? URL(filePath: "/")

    private static func user() -> ServiceUser {
        .signedIn("anna") { "token" }
    }

    private static func load(
        _ name: String,
        _ subject: String,
        _ policy: FetchPolicy,
        _ limit: Limit
    ) -> Benchmark {
        Benchmark(name, "\(subject), decoded / decoding its JSON", limit) { referee in
            let json = Data(Sample.json.utf8)
            let networking = ClosureNetworking.closure { request in
                var response = NetworkResponse(
                    headers: [
                        "Cache-Control": "max-age=86400", "Content-Type": "application/json",
                    ],
                    body: json
                )
                response.url = request.url
                return response
            }
            let service = ProductService(
                baseURL: baseURL,
                localUser: LocalUser(currency: "EUR"),
                user: user(),
                networking: networking,
                cache: ResponseCache()
            )
            let loader = service.loader
            _ = try await loader.loadProduct(withID: "walking-boots")
            return try await referee.compare { count in
                try await Background.run {
                    for _ in 0..<count {
                        keep(try await loader.fetchProduct(withID: "walking-boots", policy: policy))
                    }
                }
            } with: { count in
                try await Background.run {
                    for _ in 0..<count {
                        keep(try JSONDecoder().decode(Product.self, from: json))
                    }
                }
            }
        }
    }
}
