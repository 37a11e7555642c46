import Foundation
import ProductKit
import Synchronization

extension URL {
    /// Where the backends of the tests live.
    static let store = URL(string: "https://shop.example/api") ?? URL(filePath: "/")
}

extension NetworkResponse {
    /// An answer of JSON, written out.
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

/// What went over the wire, in order.
final class Exchange: Sendable {
    private let requests = Mutex<[URLRequest]>([])
    private let answers: Mutex<[NetworkResponse]>

    /// - Parameter answers: What is answered, one after another; the last one again and again.
    init(_ answers: NetworkResponse...) {
        self.answers = Mutex(answers)
    }

    var networking: ClosureNetworking {
        .closure { request in
            self.requests.withLock { $0.append(request) }
            return self.answers.withLock { answers in
                answers.count > 1 ? answers.removeFirst() : answers.first ?? NetworkResponse()
            }
        }
    }

    /// Methods and addresses, below that of the store.
    var lines: [String] {
        sent.map { request in
            let path = request.url?.absoluteString.dropFirst(URL.store.absoluteString.count) ?? ""
            return "\(request.httpMethod ?? "GET") \(path)"
        }
    }

    /// The URLs of the requests.
    var urls: [URL] { sent.compactMap(\.url) }

    /// The bodies that were sent, as JSON.
    func bodies<Body: Decodable>(_ type: Body.Type = Body.self) throws -> [Body] {
        try sent.compactMap(\.httpBody).map { try JSONDecoder().decode(type, from: $0) }
    }

    /// The values of a field, one of each request.
    func header(_ name: String) -> [String?] {
        sent.map { $0.value(forHTTPHeaderField: name) }
    }

    private var sent: [URLRequest] { requests.withLock { $0 } }
}
