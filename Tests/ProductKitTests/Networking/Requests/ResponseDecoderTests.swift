import Foundation
import ProductKit
import Testing

/// The decoder of a client, which decodes all of its responses.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ResponseDecoderTests {
    private struct Offer: Codable, Hashable {
        var unitPrice: Int
        var validUntil: Date
    }

    private struct UnitPrice: Decodable { let unitPrice: Int }

    private let request = NetworkRequest<Offer>.get("a")
    private let offer = Offer(unitPrice: 7, validUntil: Date(timeIntervalSince1970: 86_400))
    private static let json = #"{"unit_price": 7, "valid_until": "1970-01-02T00:00:00Z"}"#

    // Rule: requests/one-decoder-per-client (2)
    @Test func `the decoder decodes whole bodies, members, pages and maps`() async throws {
        let json = Self.json
        let body = """
            {"unit_price": 7, "valid_until": "1970-01-02T00:00:00Z", "result_set": {"best_offer":
            \(json), "all_offers": [\(json), {"unit_price": "x"}, \(json)], "next_page": 2}}
            """
        let client = client(body)

        let whole = try await client.send(request)
        let member = try await client.send(request.inside("result_set.best_offer"))
        let page = try await client.send(
            NetworkRequest<Page<Offer>>.get("a")
                .page(items: "result_set.all_offers", next: "result_set.next_page")
        )
        let mapped = try await client.send(
            request.map { try $1.json(Offer.self, at: "result_set.all_offers[2]") }
        )

        #expect([whole, member, mapped] == [offer, offer, offer])
        #expect(page.items == [offer, offer] && page.next == "2")
        #expect(page.rejected.map(\.index) == [1])
    }

    // Rule: requests/one-decoder-per-client (2)
    @Test func `a behavior reads a response with the decoder of the client`() async throws {
        let prices = Lines()
        let reading = ClosureBehavior(intercept: { request, next in
            let response = try await next(request)
            prices.add("\(try response.json(UnitPrice.self).unitPrice)")
            return response
        })
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(#"{"unit_price": 7}"#) },
            behaviors: [reading, CachingBehavior(cache: ResponseCache(), partition: { "" })],
            usesSnakeCase: true
        )

        for policy in [FetchPolicy.standard, .cacheOnly] {
            let request = NetworkRequest<NetworkResponse>.get("a")
                .overridingCacheControl("max-age=60").fetching(policy)
            _ = try await client.send(request)
        }

        #expect(prices.all == ["7", "7"])
    }

    // Rule: requests/one-decoder-per-client (2)
    @Test(arguments: [true, false])
    func `a response of another client is decoded with the decoder of this one`(
        usesSnakeCase: Bool
    ) async throws {
        func client(_ usesSnakeCase: Bool, _ behaviors: [any RequestBehavior]) -> NetworkClient {
            NetworkClient(
                baseURL: .api,
                networking: .closure { _ in .json(#"{"unit_price": 7, "unitPrice": 8}"#) },
                behaviors: behaviors,
                usesSnakeCase: usesSnakeCase
            )
        }
        let mirror = client(!usesSnakeCase, [])
        let mirroring = ClosureBehavior(intercept: { _, _ in
            try await mirror.send(NetworkRequest<NetworkResponse>.get("a"))
        })

        let offer = try await client(usesSnakeCase, [mirroring])
            .send(NetworkRequest<UnitPrice>.get("a"))

        #expect(offer.unitPrice == (usesSnakeCase ? 7 : 8))
    }

    // Rule: requests/one-decoder-per-client (2)
    @Test(arguments: [true, false])
    func `a client uses snake case in both directions`(hasOwnCoders: Bool) async throws {
        let bodies = Lines()
        let decoder: @Sendable () -> JSONDecoder = {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            return decoder
        }
        let encoder: @Sendable () -> JSONEncoder = {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .secondsSince1970
            encoder.outputFormatting = .sortedKeys
            return encoder
        }
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                bodies.add(request.text)
                return .json(#"{"best_offer": {"unit_price": 7, "valid_until": 86400}}"#)
            },
            usesSnakeCase: true,
            decoder: hasOwnCoders ? decoder : nil,
            encoder: hasOwnCoders ? encoder : nil
        )

        let read = try? await client.send(request.inside("best_offer"))
        try await client.send(.post("a").json(offer))
        try await client.send(.post("a").json(["unitPrice": 7]))

        let date = hasOwnCoders ? "86400" : "-978220800"
        #expect(read?.unitPrice == 7 && (read == offer) == hasOwnCoders)
        #expect(
            bodies.all.dropFirst() == [
                #"{"unit_price":7,"valid_until":\#(date)}"#, #"{"unitPrice":7}"#,
            ]
        )
    }

    // Rule: requests/one-decoder-per-client (2)
    @Test func `a missing member at the end of a path is nil also with converted names`()
        async throws
    {
        let client = client(#"{"result_set": {}}"#)
        let request = NetworkRequest<Offer?>.get("a")

        #expect(try await client.send(request.inside("result_set.best_offer")) == nil)
        let error = await client.error(of: request.inside("other_set.best_offer"))

        #expect(error?.debugDescription.contains("“other_set”") == true)
    }

    // Rule: requests/paths-use-names-of-json (7)
    @Test func `an error has the path in the names of the JSON`() async throws {
        let client = client(#"{"result_set": {"best_offer": {"unit_price": "x"}}}"#)

        let error = await client.error(
            of: NetworkRequest<Offer>.get("a").inside("result_set.best_offer")
        )

        #expect(error?.debugDescription.contains("“result_set.best_offer.unitPrice”") == true)
    }

    // Rule: requests/paths-use-names-of-json (7)
    @Test func `a path uses the names of the JSON with a conversion of your own`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(#"{"A": {"B": 7}, "x_y": {"B": 8}}"#) },
            decoder: {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .custom { path in
                    path.count > 1 ? "\(path.count)".codingKey : path[0].stringValue.codingKey
                }
                return decoder
            }
        )
        let request = NetworkRequest<Int>.get("a")

        #expect(try await client.send(request.inside("A.B")) == 7)
        #expect(try await client.send(request.inside("x_y.B")) == 8)
    }

    // Rule: requests/one-decoder-per-client (2)
    @Test func `failures are found by the names of the JSON`() async throws {
        let body = #"{"user_errors": [{"error_text": "Later", "error_code": "BUSY"}]}"#
        let request = NetworkRequest<Offer>.get("a")
            .failing(
                at: "user_errors",
                message: "error_text",
                code: "error_code",
                codes: ["BUSY": .throttled]
            )
        let failing = client(body, statusCode: 400) { response in
            NetworkError(response, message: "user_errors[0].error_text")
        }

        let failure = await client(body).error(of: request)
        let rejection = await failing.error(of: request)

        #expect(failure?.code == .throttled)
        #expect(failure?.problem?.detail == "Later")
        #expect(rejection?.problem?.detail == "Later")
    }

    // Rule: requests/one-decoder-per-client (2)
    @Test func `an error of the decoder's strategy is one of the response`() async throws {
        let client = client(#"{"unit_price": 7, "valid_until": "soon"}"#)

        let error = await client.error(of: NetworkRequest<Offer>.get("a"))

        #expect(error?.code == .unreadable)
        #expect(error?.debugDescription.contains("ISO8601") == true)
    }

    @Test func `responses are equal whatever decodes them`() async throws {
        let body = Self.json
        let request = NetworkRequest<NetworkResponse>.get("a")
        var plain = NetworkResponse.json(body)
        plain.url = try request.urlRequest(relativeTo: .api).url

        let response = try await client(body).send(request)

        #expect(response == plain)
        #expect(try response.json(Offer.self) == offer)
    }

    private func client(
        _ body: String,
        statusCode: Int = 200,
        failure: @escaping @Sendable (NetworkResponse) -> any Error = { NetworkError($0) }
    ) -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(body, statusCode: statusCode) },
            decoder: {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                decoder.dateDecodingStrategy = .iso8601
                return decoder
            },
            failure: failure
        )
    }
}
