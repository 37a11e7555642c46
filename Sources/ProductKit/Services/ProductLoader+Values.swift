extension ProductLoader {
    /// Returns a sequence of the cached product, if there is one, and then the server's.
    ///
    /// ```swift
    /// for try await boots in loader.values(ofProductWithID: id) {
    ///     show(boots.value)
    /// }
    /// ```
    ///
    /// - The cached product comes first, whatever its age. It is skipped if it cannot be decoded.
    /// - The server's product comes second. It is skipped if it equals the cached one, so when the
    ///   loop ends without an error, the last element is the current product.
    /// - If the server cannot be reached, the loop throws after the first element.
    /// - Nothing is loaded before the loop begins, and nothing more after it is left. Each loop
    ///   over the same sequence loads again.
    ///
    /// - Parameter id: The product's identifier.
    /// - Returns: A sequence of one or two elements. It throws the errors of
    ///   ``loadProduct(withID:)``, then ends.
    public func values(
        ofProductWithID id: Product.ID
    ) -> some AsyncSequence<Fetched<Product>, any Error> & Sendable {
        ProductValues { policy in try await fetchProduct(withID: id, policy: policy) }
    }
}

/// A sequence that is its own iterator: each loop starts with a copy in which nothing is loaded.
private struct ProductValues: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private enum Step { case cache, server, end }

    private let fetch: @Sendable (FetchPolicy) async throws -> Fetched<Product>
    private var step = Step.cache
    private var cached: Product?

    init(_ fetch: @escaping @Sendable (FetchPolicy) async throws -> Fetched<Product>) {
        self.fetch = fetch
    }

    func makeAsyncIterator() -> ProductValues { self }

    /// Loads the next value off the caller's actor, and returns `nil` after an error.
    mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Fetched<Product>? {
        if step == .cache {
            step = .server
            do {
                let fetched = try await fetch(.cacheOnly)
                cached = fetched.value
                return fetched
            } catch let error as CancellationError {
                step = .end
                throw error
            } catch {}
        }
        guard step == .server else { return nil }
        step = .end
        let fetched = try await fetch(.revalidate)
        var product = fetched.value
        // A status that is not known now may be known from the cache.
        if let cached, product.unknownMembers.contains(.isFavorite) {
            product.isFavorite = cached.isFavorite
        }
        return product == cached ? nil : Fetched(product, source: fetched.source)
    }
}
