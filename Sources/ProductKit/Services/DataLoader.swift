public import Foundation

/// Loads the bytes at a URL, such as an image or a document.
///
/// The request has no header fields of its own: no token and no language of the shop's API is sent
/// to the server that hosts its images.
///
/// ```swift
/// let picture = try await loader.data(from: url)
/// ```
public struct DataLoader: Sendable {
    private let load: @Sendable (URL) async throws -> Data

    /// Creates a loader from a closure, such as one that reads bundled files.
    public init(load: @escaping @Sendable (URL) async throws -> Data) {
        self.load = load
    }

    /// Creates a loader that sends GET requests.
    ///
    /// - Parameters:
    ///   - networking: Sends the requests; the shared ``SystemTransport`` by default.
    ///   - behaviors: The behaviors of every request, the outermost first; none by default. Leave
    ///     out tokens: URLs can belong to any server.
    public init(networking: any Networking = .system, behaviors: [any RequestBehavior] = []) {
        self.init { url in
            // The server is not that of the API, also if a closure of a service loads the file.
            let file = NetworkRequest(method: "GET", segments: [], decode: \.body).independent
            return try await NetworkClient(
                baseURL: url,
                networking: networking,
                behaviors: behaviors
            ).send(file)
        }
    }

    /// Loads the bytes at a URL, off the caller's actor.
    ///
    /// - Parameter url: An `https` URL; `http` where the networking allows it.
    /// - Returns: The response body, which may be empty.
    /// - Throws: ``NetworkError`` if the URL is not an HTTP URL, no response arrives or its status
    ///   code is not between 200 and 299; `CancellationError` if the task is cancelled.
    @concurrent public func data(from url: URL) async throws -> Data {
        try Task.checkCancellation()
        return try await load(url)
    }
}

extension DataLoader: Gettable {
    /// Loads the bytes at a URL; the same as ``data(from:)``.
    @concurrent public func get(_ url: URL) async throws -> Data {
        try await data(from: url)
    }
}
