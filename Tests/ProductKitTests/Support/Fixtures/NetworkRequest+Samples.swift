import Foundation
import ProductKit

extension NetworkRequest where Output == Product {
    /// A request that loads the boots.
    static var boots: NetworkRequest { .get("products", "walking-boots") }
}

extension URL {
    /// The base URL of the tests.
    static let api = URL(string: "https://api.example.com/v1") ?? URL(filePath: "/")
}

extension URLRequest {
    /// The method and the URL.
    var line: String { "\(httpMethod ?? "?") \(url?.absoluteString ?? "?")" }

    /// The body as text; empty if there is none.
    var text: String { String(decoding: httpBody ?? Data(), as: UTF8.self) }
}
