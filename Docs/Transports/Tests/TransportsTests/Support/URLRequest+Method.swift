import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Creates a request, with a JSON body if the method may have one.
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
