public import Benchmarking
import Foundation
import ProductKit

extension Benchmark {
    /// Loads with a cache, over HTTP.
    public static let cachedLoads = [
        Benchmark(
            "cache/miss",
            "a product over loopback HTTP, and storing its response / without a cache",
            .ratio(1.12, goal: 1.03)
        ) { referee in
            try await Store.plain.run { baseURL in
                let response = NetworkResponse(
                    headers: ["ETag": "\"7\"", "Content-Type": "application/json"],
                    body: Data(Sample.json.utf8)
                )
                let networking: any Networking = .closure { request in
                    var response = response
                    response.url = request.url
                    return try await response.deliveredFromAnotherThread()
                }
                let storing = NetworkClient(
                    baseURL: baseURL,
                    networking: networking,
                    behaviors: [CachingBehavior(partition: { "" })]
                )
                let plain = NetworkClient(baseURL: baseURL, networking: networking)
                let real = ProductLoader(baseURL: baseURL, networking: SystemTransport())
                return try await referee.compare(operationsPerTurn: 96) { count in
                    try await perform(count, storing.reloadBytes)
                } with: { count in
                    try await perform(count, plain.reloadBytes)
                } asPartOf: { count in
                    try await perform(count, real.loadBoots)
                }
            }
        },
        revalidation(
            "cache/304",
            of: "a product of 1.1 kB, decoded,",
            .ratio(1.30, goal: 1.10),
            load: { client in ProductLoader(client: client).loadBoots }
        ),
        revalidation(
            "cache/304-page",
            of: "the bytes of a page of 55 kB",
            .ratio(1.25, goal: 0.80),
            load: \.loadPage
        ),
    ]

    /// A stored response that is revalidated, compared with a complete response.
    private static func revalidation(
        _ name: String,
        of subject: String,
        _ limit: Limit,
        load: @escaping @Sendable (NetworkClient) -> @Sendable () async throws -> some Sendable
    ) -> Benchmark {
        Benchmark(
            name,
            "\(subject) over loopback HTTP, revalidated with a 304 / sent completely",
            limit
        ) { referee in
            try await Store.plain.run { baseURL in
                let transport = SystemTransport()
                let plain = NetworkClient(baseURL: baseURL, networking: transport)
                let cached = NetworkClient(
                    baseURL: baseURL,
                    networking: transport,
                    behaviors: [CachingBehavior(partition: { "" })]
                )
                return try await referee.compare(operationsPerTurn: 96) { count in
                    try await perform(count, load(cached))
                } with: { count in
                    try await perform(count, load(plain))
                }
            }
        }
    }
}

extension NetworkClient {
    /// Loads the bytes of a product with an unconditional request.
    ///
    /// A cache stores them each time.
    fileprivate var reloadBytes: @Sendable () async throws -> Data {
        let request = NetworkRequest(
            method: "GET",
            segments: ["products", "walking-boots"],
            decode: \.body
        )
        .fetching(.reload)
        return { try await send(request) }
    }

    /// Loads the bytes of a page, with revalidation of a stored one.
    fileprivate var loadPage: @Sendable () async throws -> Data {
        let request = NetworkRequest(method: "GET", segments: ["products"], decode: \.body)
            .fetching(.revalidate)
        return { try await send(request) }
    }
}
