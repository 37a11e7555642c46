public import Benchmarking
import Foundation
import ProductKit

extension Benchmark {
    /// Loads through a cache, over real HTTP.
    public static let cachedLoads = [
        Benchmark(
            "cache/miss",
            "a product over loopback HTTP and what storing it adds / without it",
            .ratio(1.03)
        ) { referee in
            try await Store.run { baseURL in
                let answer = NetworkResponse(
                    headers: ["ETag": "\"7\"", "Content-Type": "application/json"],
                    body: Data(Sample.json.utf8)
                )
                let networking: any Networking = .closure { request in
                    var answer = answer
                    answer.url = request.url
                    return try await broughtFromElsewhere(answer)
                }
                let storing = NetworkClient(
                    baseURL: baseURL,
                    networking: networking,
                    behaviors: [CachingBehavior()]
                )
                let plain = NetworkClient(baseURL: baseURL, networking: networking)
                let real = ProductLoader(baseURL: baseURL, networking: URLSessionTransport())
                return try await referee.compare(operationsPerTurn: 96) { count in
                    try await send(count, storing.loadsAnew)
                } with: { count in
                    try await send(count, plain.loadsAnew)
                } asPartOf: { count in
                    try await send(count, real.loadsBoots)
                }
            }
        },
        confirmation(
            "cache/304",
            of: "a product, 1.1 kB, read",
            .ratio(1.10, goal: 0.80),
            load: { client in ProductLoader(client: client).loadsBoots }
        ),
        confirmation(
            "cache/304-page",
            of: "the bytes of a page, 55 kB,",
            .ratio(0.80),
            load: \.loadsPage
        ),
    ]

    /// What is confirmed without a body, beside the same sent whole.
    private static func confirmation(
        _ name: String,
        of what: String,
        _ limit: Limit,
        load: @escaping @Sendable (NetworkClient) -> @Sendable () async throws -> some Sendable
    ) -> Benchmark {
        Benchmark(
            name,
            "\(what) over loopback HTTP, confirmed without a body / sent whole",
            limit
        ) { referee in
            try await Store.run { baseURL in
                let transport = URLSessionTransport()
                let whole = NetworkClient(baseURL: baseURL, networking: transport)
                let cached = NetworkClient(
                    baseURL: baseURL,
                    networking: transport,
                    behaviors: [CachingBehavior()]
                )
                return try await referee.compare(operationsPerTurn: 96) { count in
                    try await send(count, load(cached))
                } with: { count in
                    try await send(count, load(whole))
                }
            }
        }
    }
}

extension NetworkClient {
    /// Sent whole each time, and stored each time where there is a cache.
    fileprivate var loadsAnew: @Sendable () async throws -> Data {
        let request = NetworkRequest(
            method: "GET",
            segments: ["products", "walking-boots"],
            decode: \.body
        )
        .fetching(.reload)
        return { try await send(request) }
    }

    /// The server's word on a page, unread.
    fileprivate var loadsPage: @Sendable () async throws -> Data {
        let request = NetworkRequest(method: "GET", segments: ["products"], decode: \.body)
            .fetching(.revalidate)
        return { try await send(request) }
    }
}
