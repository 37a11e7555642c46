public import Foundation

/// Loads raw bytes: pictures, documents, anything with an address.
///
/// It sends nothing but the address: no token of the shop goes to the machine that keeps its
/// pictures.
///
/// ```swift
/// let picture = try await loader.data(from: url)
/// ```
public struct DataLoader: Sendable {
    private let load: @Sendable (URL) async throws -> Data

    /// Creates a loader that asks a closure.
    public init(load: @escaping @Sendable (URL) async throws -> Data) {
        self.load = load
    }

    /// Creates a loader over networking.
    public init(networking: any Networking = .system) {
        self.init { url in
            let picture = NetworkRequest(method: "GET", segments: [], decode: \.body)
            return try await NetworkClient(baseURL: url, networking: networking).send(picture)
        }
    }

    /// Loads the bytes at an address.
    ///
    /// - Parameter url: An `https` address; plain `http` where the networking allows it.
    /// - Returns: The bytes; empty when there are none.
    /// - Throws: ``NetworkError`` when the address is no http address, no answer came or it was no
    ///   success; `CancellationError` when you stopped waiting.
    @concurrent public func data(from url: URL) async throws -> Data {
        // Without work of its own before the closure, the method would stay on the caller's actor.
        try Task.checkCancellation()
        return try await load(url)
    }
}

extension DataLoader: Gettable {
    /// Loads the bytes at an address; the same as ``data(from:)``.
    @concurrent public func get(_ url: URL) async throws -> Data {
        try await data(from: url)
    }
}
