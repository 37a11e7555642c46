/// Adds the session and the language of a service to a request.
struct SessionBehavior: RequestBehavior {
    let session: UserSession

    func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        // An outer behavior may have created the request, or sent one of another service.
        request.session = session
        if let language = session.language { request.add(["Accept-Language": language]) }
        return try await next(request)
    }
}
