import Foundation
import ProductKit

extension URLRequest {
    /// The method and the address as they go over the wire.
    var line: String { "\(httpMethod ?? "?") \(url?.absoluteString ?? "?")" }

    /// The body as text; empty when there is none.
    var text: String { String(decoding: httpBody ?? Data(), as: UTF8.self) }
}
