import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// A request with a method, and with a body of JSON when the method may carry one.
    static func to(_ url: URL, _ method: String = "GET") -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        if ["PUT", "POST", "PATCH"].contains(method) {
            request.httpBody = Data(#"{"name": "Gifts"}"#.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}
