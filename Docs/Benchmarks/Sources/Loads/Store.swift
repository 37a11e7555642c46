import CCounters
import Foundation

/// A local HTTP server that sends the same response to every request.
///
/// It runs in its own process, so that its CPU time is not measured.
public struct Store: Sendable {
    /// The store of ``serveIfRequested()``.
    public static let plain = Store(command: "serve", origin: "http://127.0.0.1")

    private let command: String
    private let origin: String

    /// Describes a store that another program part serves.
    ///
    /// - Parameters:
    ///   - command: The argument with which this program is the server. It prints its port, and ends
    ///     with its standard input.
    ///   - origin: The scheme and the host of its URLs.
    public init(command: String, origin: String) {
        self.command = command
        self.origin = origin
    }

    /// The scheme in uppercase, such as HTTPS.
    var scheme: String { String(origin.prefix { $0 != ":" }).uppercased() }

    /// Serves until standard input ends, and then exits, if the first argument is `serve`.
    ///
    /// Call this first in `main()`: a benchmark starts the server with this argument.
    public static func serveIfRequested() {
        guard CommandLine.arguments.dropFirst().first == "serve" else { return }
        exit(serve_loopback(Sample.json))
    }

    /// A base URL for requests that are never sent.
    static var unusedURL: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1/v1") else { throw URLError(.badURL) }
            return url
        }
    }

    /// Runs a store while the body runs.
    ///
    /// - Parameter body: Receives the base URL of the store's API.
    /// - Returns: The result of the body.
    /// - Throws: Any error of the body, or `CocoaError` if the store does not start.
    @MainActor func run<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [command]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)),
            let baseURL = URL(string: "\(origin):\(port)/v1")
        else { throw CocoaError(.fileReadUnknown) }
        return try await body(baseURL)
    }
}
