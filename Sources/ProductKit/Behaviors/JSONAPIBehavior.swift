import Foundation

/// A behavior that turns the responses of a backend with JSON:API (version 1.1) into plain JSON.
///
/// Each resource becomes one object with its `type`, its `id`, its attributes and its relationships, so a type for
/// its JSON is like that of any other backend; see <doc:BackendProducts#JSON:API>.
///
/// A related resource is inserted if it is in `included` and the query item `include` of the request contains the
/// name of the relationship, such as `photos` or `variants` in `include=variants.photos`. Otherwise its `type`
/// and `id` remain. A relationship whose `data` is `null` is `null`. One without `data` is left out, and so are the
/// `links` and the `meta` of a resource. The other members of the document, such as `links`, `meta` and `errors`,
/// stay as they are. A response without `data` is not changed.
///
/// All requests accept `application/vnd.api+json`, unless they have an `Accept` of your own. JSON bodies have this
/// media type; see ``JSONAPIDraft``.
/// If the plain JSON would have more than 16 MiB, the error has code ``NetworkError/Code-swift.struct/tooLarge``.
///
/// Pass it to the client of a backend. Caches store the responses as the server has sent them. A behavior that adds
/// `include` to requests is outside of it.
public struct JSONAPIBehavior: RequestBehavior {
    private static let maximumSize = 16 << 20

    /// Creates a behavior.
    public init() {}

    /// Sends the request with the media type of JSON:API, and returns the response in plain JSON.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        let mediaType = RequestParts.mediaTypeOfJSONAPI
        if let accept = request.headers["Accept"], RequestParts.defaultAccepts.contains(accept) {
            request.headers["Accept"] = mediaType
        }
        if request.headers["Content-Type"] == "application/json" {
            request.headers["Content-Type"] = mediaType
        }
        var response = try await next(request)
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems
        let names = items?.first { $0.name == "include" }?.value?.split { ",.".contains($0) } ?? []
        do {
            let body = try JSONAPIDocument.plain(
                response.body,
                inserting: Set(names.map(String.init)),
                limit: Self.maximumSize
            )
            response.body = body ?? response.body
        } catch {
            response.stored?.remove()
            let isTooLarge = error is JSONAPIDocument.TooLarge
            throw NetworkError(
                isTooLarge ? .tooLarge : .unreadable,
                request: request,
                response: response,
                details: isTooLarge
                    ? "With its related resources, it has more than \(Self.maximumSize >> 20) MiB. "
                        + "Include fewer of them."
                    : "The attributes or the relationships of a resource are not an object."
            )
        }
        return response
    }
}
