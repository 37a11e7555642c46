/// A value as it is stored, if it is, and then as the server confirms it.
///
/// ```swift
/// for try await boots in loader.values(ofProductWithID: id) {
///     show(boots.value)
/// }
/// ```
///
/// Nothing is asked for before the loop begins; each loop begins anew. The confirmed value is left out
/// when it equals the stored one, so the end of the loop says that what was given last is so.
public struct FetchSequence<Value: Sendable & Equatable>: AsyncSequence, Sendable {
    /// A value, and where it came from.
    public typealias Element = Fetched<Value>

    private let fetch: @Sendable (FetchPolicy) async throws -> Fetched<Value>

    init(_ fetch: @escaping @Sendable (FetchPolicy) async throws -> Fetched<Value>) {
        self.fetch = fetch
    }

    /// Begins with what is stored.
    public func makeAsyncIterator() -> Iterator {
        Iterator(fetch: fetch)
    }

    /// Asks the cache first, and then the server.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private enum Step { case stored, confirmed, over }

        private let fetch: @Sendable (FetchPolicy) async throws -> Fetched<Value>
        private var step = Step.stored
        private var stored: Value?

        fileprivate init(fetch: @escaping @Sendable (FetchPolicy) async throws -> Fetched<Value>) {
            self.fetch = fetch
        }

        /// Fetches the next value, away from the caller's actor, and comes back to it.
        ///
        /// - Parameter actor: Where the caller is.
        /// - Returns: The value; `nil` when there is no other, and after an error was thrown.
        /// - Throws: What asking the server led to, once. A stored value that cannot be read is no
        ///   error; it is left out.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Fetched<Value>? {
            if step == .stored {
                step = .confirmed
                if let fetched = try await storedValue() {
                    stored = fetched.value
                    return fetched
                }
            }
            guard step == .confirmed else { return nil }
            step = .over
            try Task.checkCancellation()
            let fetched = try await fetch(.revalidate)
            return fetched.value == stored ? nil : fetched
        }

        private func storedValue() async throws -> Fetched<Value>? {
            do {
                return try await fetch(.cacheOnly)
            } catch {
                try Task.checkCancellation()
                return nil
            }
        }
    }
}

extension ProductLoader {
    /// One product as it is stored, if it is, and then as the server confirms it.
    ///
    /// - Parameter id: The product's identity.
    /// - Returns: One or two values; what ``loadProduct(withID:)`` throws ends them.
    public func values(ofProductWithID id: Product.ID) -> FetchSequence<Product> {
        FetchSequence { policy in try await fetchProduct(withID: id, policy: policy) }
    }
}
