import CCounters
import Foundation

/// A store on this machine that answers every request alike, in a process of its own, so that its
/// work is not counted.
public enum Store {
    /// Serves until the standard input ends, if the command line says so; then the process ends.
    public static func serveIfAsked() {
        guard CommandLine.arguments.dropFirst().first == "serve" else { return }
        exit(serve_loopback(Sample.json))
    }

    /// The base URL for loads that never get there.
    static var nowhere: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1/v1") else { throw URLError(.badURL) }
            return url
        }
    }

    /// Runs a store for as long as it is needed.
    ///
    /// - Parameter body: Is given the base URL of the store's API.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or `CocoaError` when the store did not start.
    @MainActor static func run<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)),
            let baseURL = URL(string: "http://127.0.0.1:\(port)/v1")
        else { throw CocoaError(.fileReadUnknown) }
        return try await body(baseURL)
    }
}
