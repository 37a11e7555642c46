import Foundation
import ProductKit
import Synchronization

extension URL {
    /// The base URL of all backends in the tests.
    static let store = URL(string: "https://shop.example/api") ?? URL(filePath: "/")
}

extension NetworkResponse {
    /// Creates a response with a JSON body.
    static func json(
        _ text: String,
        statusCode: Int = 200,
        headers: NetworkHeaders = [:]
    ) -> NetworkResponse {
        var headers = headers
        headers["Content-Type"] = "application/json; charset=utf-8"
        return NetworkResponse(statusCode: statusCode, headers: headers, body: Data(text.utf8))
    }
}

extension RetryBehavior {
    /// Sends each request once.
    static let none = RetryBehavior(attempts: 1)
}

extension ProductService {
    /// Creates a service for a guest, or for a user with a token.
    ///
    /// - Parameters:
    ///   - backend: The backend.
    ///   - token: The token that signs requests; `nil` for none.
    init(_ backend: ProductBackend, token: String? = nil) {
        self.init(
            backend: backend,
            localUser: LocalUser(currency: "EUR"),
            user: token.map { token in .signedIn("ann") { token } } ?? .guest
        )
    }
}

/// Prepared responses of a backend, and the requests that it receives.
final class Exchange: Sendable {
    private let requests = Mutex<[URLRequest]>([])
    private let responses: Mutex<[NetworkResponse]>

    /// - Parameter responses: The responses, in order. The last one is repeated.
    init(_ responses: NetworkResponse...) {
        self.responses = Mutex(responses)
    }

    /// The transport that records requests and returns the responses.
    var networking: ClosureNetworking {
        .closure { request in
            self.requests.withLock { $0.append(request) }
            return self.responses.withLock { responses in
                responses.count > 1 ? responses.removeFirst() : responses.first ?? NetworkResponse()
            }
        }
    }

    /// The transport to a backend where the user is a guest and so has no lists.
    var networkingOfGuest: ClosureNetworking {
        let networking = networking
        return .closure { request in
            guard request.url?.path().contains("/me/") != true else {
                return NetworkResponse(statusCode: 401)
            }
            return try await networking.response(for: request)
        }
    }

    /// The methods and URLs of the requests, relative to the base URL.
    var lines: [String] {
        sent.map { request in
            let path = request.url?.absoluteString.dropFirst(URL.store.absoluteString.count) ?? ""
            return "\(request.httpMethod ?? "GET") \(path)"
        }
    }

    /// The URLs of the requests.
    var urls: [URL] { sent.compactMap(\.url) }

    /// The bodies of the requests, decoded from JSON.
    func bodies<Body: Decodable>(_ type: Body.Type = Body.self) throws -> [Body] {
        try sent.compactMap(\.httpBody).map { try JSONDecoder().decode(type, from: $0) }
    }

    /// The values of a header field, one for each request.
    func header(_ name: String) -> [String?] {
        sent.map { $0.value(forHTTPHeaderField: name) }
    }

    private var sent: [URLRequest] { requests.withLock { $0 } }
}
