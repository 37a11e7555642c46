import Foundation
import Testing

/// The executable `shop`, which the tests run in a process of its own.
enum ShopProgram {
    /// The result of a run.
    struct Run {
        /// The exit code.
        let status: Int32
        /// The text on standard output.
        let output: String
        /// The text on standard error.
        let errors: String
    }

    /// Runs the program until it exits.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - input: The text on standard input.
    /// - Returns: The exit code and the output.
    /// - Throws: The error of the system if the program does not start.
    static func run(_ arguments: [String] = [], input: String = "") async throws -> Run {
        let process = Process()
        let (keyboard, output, errors) = (Pipe(), Pipe(), Pipe())
        process.executableURL = try executable()
        process.arguments = arguments
        process.standardInput = keyboard
        process.standardOutput = output
        process.standardError = errors
        try keyboard.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try keyboard.fileHandleForWriting.close()
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                continuation.resume(
                    returning: Run(
                        status: process.terminationStatus,
                        output: text(of: output),
                        errors: text(of: errors)
                    )
                )
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }

    /// The program, which is built into the same folder as the tests.
    static func executable() throws -> URL {
        let products = Bundle.allBundles.map(\.bundleURL)
            .first { $0.pathExtension == "xctest" }?.deletingLastPathComponent()
        let folder =
            try products
            ?? #require(
                CommandLine.arguments.first.map { URL(filePath: $0).deletingLastPathComponent() }
            )
        return folder.appending(path: "shop")
    }

    private static func text(of pipe: Pipe) -> String {
        let bytes = try? pipe.fileHandleForReading.readToEnd()
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }
}
