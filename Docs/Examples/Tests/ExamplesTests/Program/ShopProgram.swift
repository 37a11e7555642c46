import Foundation
import Testing

/// What a run of the program left behind.
struct ShopRun {
    let status: Int32
    let output: String
    let errors: String
}

/// Runs the program itself, as a person would.
///
/// - Parameters:
///   - arguments: The command line.
///   - input: What the person types.
/// - Returns: How it ended and what it wrote.
/// - Throws: The system's reason, when it does not start.
func shop(_ arguments: [String] = [], input: String = "") async throws -> ShopRun {
    let products = Bundle.allBundles.map(\.bundleURL)
        .first { $0.pathExtension == "xctest" }?.deletingLastPathComponent()
    let folder =
        try products
        ?? #require(
            CommandLine.arguments.first.map { URL(filePath: $0).deletingLastPathComponent() }
        )
    let process = Process()
    let (keyboard, output, errors) = (Pipe(), Pipe(), Pipe())
    process.executableURL = folder.appending(path: "shop")
    process.arguments = arguments
    process.standardInput = keyboard
    process.standardOutput = output
    process.standardError = errors
    try keyboard.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try keyboard.fileHandleForWriting.close()
    return try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { process in
            continuation.resume(
                returning: ShopRun(
                    status: process.terminationStatus,
                    output: text(of: output),
                    errors: text(of: errors)
                )
            )
        }
        do { try process.run() } catch { continuation.resume(throwing: error) }
    }
}

private func text(of pipe: Pipe) -> String {
    let bytes = try? pipe.fileHandleForReading.readToEnd()
    return String(decoding: bytes ?? Data(), as: UTF8.self)
}
