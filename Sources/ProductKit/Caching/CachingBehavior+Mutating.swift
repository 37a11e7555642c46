import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension CachingBehavior {
    /// Sends what may change something, and makes old what it touched before its caller goes on
    /// (RFC 9111 §4.4).
    func mutate(_ request: URLRequest, _ next: NetworkExchange) async throws -> NetworkResponse {
        let asker = scope()
        do {
            let response = try await next(request.forNetwork)
            guard let url = request.url else { return response }
            for scope in scopes(since: asker) {
                switch response.statusCode {
                case ..<400:
                    for url in policy.invalidated(by: response, to: url) {
                        cache.remove(url, scope: scope)
                    }
                    expire([url] + related(url), scope)
                case 500...: expire(related(url), scope)
                default: break
                }
            }
            return response
        } catch {
            if let url = request.url, policy.mayHaveArrived(request, error) {
                for scope in scopes(since: asker) { expire([url] + related(url), scope) }
            }
            throw error
        }
    }

    /// Whoever may have signed a request: who was there when it was asked, and who is there now.
    private func scopes(since asker: String?) -> Set<String> {
        Set([asker, scope()].compactMap(\.self))
    }

    private func expire(_ urls: [URL], _ scope: String) {
        for url in urls { cache.expire(url, scope: scope) }
    }
}
