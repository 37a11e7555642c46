extension NetworkRequest {
    /// Returns a request that is declared to be a read, although its method is not safe: a GraphQL
    /// query, or a search whose parameters are in the body.
    ///
    /// ```swift
    /// let request = NetworkRequest<Page<Product>>.post("graphql")
    ///     .json(["query": "{ products { id title } }"])
    ///     .inside("data.products")
    ///     .failing(at: "errors")
    ///     .reading(as: "products")
    /// ```
    ///
    /// The behaviors treat it like a `GET`: it is shared, retried, stored and served if the server
    /// fails, and ``fetching(_:)`` applies to it. It does not count as a write. Declare only
    /// requests that change nothing on the server and that may be sent twice.
    ///
    /// Two reads get the same response only if their method, URL, body, `Content-Type` and name are
    /// equal, and the fields that the `Vary` of the response names. An unsafe request to the same URL,
    /// such as a GraphQL mutation, invalidates the stored responses of all its reads.
    ///
    /// Behaviors see the declaration in ``OutgoingRequest/readName``. The server receives the request as
    /// it is without this method. A request with a safe method, such as `GET`, is returned unchanged.
    ///
    /// - Parameter name: A name for the read, such as that of the operation. Reads with different
    ///   names never share a response. ``ResponseCache/contentsDescription()`` shows it, and a cache on
    ///   disk stores it with the body of the request, so neither may contain a secret.
    /// - Returns: A request that is declared to be a read.
    public func reading(as name: String = "") -> NetworkRequest {
        parts.method.isSafeMethod ? self : changing { $0.readName = name }
    }
}
