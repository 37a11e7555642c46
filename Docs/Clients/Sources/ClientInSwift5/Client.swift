import Foundation
import ProductKit
import Synchronization

/// A program that uses ProductKit with other compiler settings.
///
/// Every hook of its behaviors must be called in each language mode.
@main
struct Client {
    static func main() async throws {
        guard let api = URL(string: "https://api.example.com/v1") else { return }
        let calls = Calls()
        let networking = RecordingNetworking(calls: calls)
        let client = NetworkClient(
            baseURL: api,
            networking: networking,
            behaviors: [RecordingBehavior(calls: calls), RecordingInterceptor(calls: calls)]
        )

        let product: Product = try await client.send(.get("products", "walking-boots"))
        try require(product.name == "Boots", "the product was not decoded")
        do {
            let _: Product = try await client.send(.get("missing"))
            try require(false, "a 404 did not throw")
        } catch let error as NetworkError {
            try require(error.code == .notFound, "a 404 threw an unexpected error: \(error)")
        }

        let expected = [
            "beforeSend", "additionalHeaders", "modify", "intercept", "response X-Client: client",
            "afterSuccess",
            "beforeSend", "additionalHeaders", "modify", "intercept", "response X-Client: client",
            "afterFailure",
        ]
        try require(calls.all == expected, "unexpected calls of hooks: \(calls.all)")
        try await reloadScreen()
        print("✓ Every hook of the behaviors was called.")
    }

    @MainActor static func reloadScreen() async throws {
        var count = 0
        let boots = Product(id: "walking-boots", name: "Boots")
        let screen = ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(reload: {
                count += 1
                return boots
            })
        )
        try await screen.reload()
        try require(count == 1 && screen.phase == .loaded, "the screen did not reload")
    }

    static func require(_ condition: Bool, _ message: String) throws {
        guard condition else { throw FailedRequirement(errorDescription: message) }
    }
}

struct FailedRequirement: LocalizedError {
    let errorDescription: String?
}

final class Calls: Sendable {
    private let calls = Mutex<[String]>([])

    var all: [String] { calls.withLock { $0 } }

    func add(_ call: String) {
        calls.withLock { $0.append(call) }
    }
}

struct RecordingNetworking: Networking {
    let calls: Calls

    func response(for request: URLRequest) async throws -> NetworkResponse {
        calls.add("response X-Client: \(request.value(forHTTPHeaderField: "X-Client") ?? "")")
        guard request.url?.path.hasSuffix("missing") == false else {
            return NetworkResponse(statusCode: 404)
        }
        return try NetworkResponse(json: Product(id: "walking-boots", name: "Boots"))
    }
}

struct RecordingBehavior: RequestBehavior {
    let calls: Calls

    var additionalHeaders: NetworkHeaders {
        calls.add("additionalHeaders")
        return ["X-Client": "client"]
    }

    func modify(_ request: inout OutgoingRequest) { calls.add("modify") }
    func beforeSend() { calls.add("beforeSend") }
    func afterSuccess(result: any Sendable) { calls.add("afterSuccess") }
    func afterFailure(error: any Error) { calls.add("afterFailure") }
}

struct RecordingInterceptor: RequestBehavior {
    let calls: Calls

    func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        calls.add("intercept")
        return try await next(request)
    }
}
