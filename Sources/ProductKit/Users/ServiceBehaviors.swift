/// Adds the session, the header fields and the language of a service to a request.
struct SessionBehavior: RequestBehavior {
    let session: UserSession
    /// The header fields that the backend creates for the service.
    let headers: NetworkHeaders

    func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        // An outer behavior may have created the request, or sent one of another service.
        request.session = session
        request.add(headers)
        if let language = session.language { request.add(["Accept-Language": language]) }
        return try await next(request)
    }
}

/// Adds the names of the header fields of a service to the `Vary` of each response, so that a cache keeps a response
/// for each of their values.
struct VaryBehavior: RequestBehavior {
    /// The names, separated by commas; also those of fields that this service has no value for.
    let names: String

    func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var response = try await next(request)
        let vary = response.headers["Vary"]
        // A 304 without the field keeps that of the stored response (RFC 9111 §3.2).
        guard response.statusCode != 304 || vary != nil else { return response }
        response.headers["Vary"] = [vary, names].compactMap(\.self).joined(separator: ", ")
        return response
    }
}
