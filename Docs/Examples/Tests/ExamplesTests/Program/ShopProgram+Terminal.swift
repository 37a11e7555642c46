import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

extension ShopProgram {
    /// Runs the program in a terminal until it exits.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - columns: The width of the terminal.
    ///   - input: The text that is typed.
    ///   - text: The program is interrupted, as by Control-C, as soon as it has printed this text.
    /// - Returns: The exit code and the text in the terminal, with line feeds only.
    /// - Throws: The error of the system if the program does not start.
    static func runInTerminal(
        _ arguments: [String],
        columns: Int,
        input: String = "",
        interruptedAfter text: String? = nil
    ) async throws -> Run {
        let terminal = try PseudoTerminal(columns: columns)
        let process = Process()
        process.executableURL = try executable()
        process.arguments = arguments
        process.standardInput = terminal.program
        process.standardOutput = terminal.program
        process.standardError = terminal.program
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        terminal.screen.readabilityHandler = { continuation.yield($0.availableData) }
        // The end of the output, after all that the program has printed.
        process.terminationHandler = { _ in terminal.program.write(Data([0])) }
        // Before the program prints something, so that the echo is not in the middle of a line.
        terminal.screen.write(Data(input.utf8))
        try process.run()
        var (output, isInterrupted) = (Data(), false)
        for await chunk in chunks {
            output += chunk
            if chunk.last == 0 { break }
            if let text, !isInterrupted, output.range(of: Data(text.utf8)) != nil {
                process.interrupt()
                isInterrupted = true
            }
        }
        terminal.screen.readabilityHandler = nil
        if Task.isCancelled { process.terminate() }
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus,
            output: String(decoding: output.dropLast(), as: UTF8.self)
                .replacing("\r\n", with: "\n"),
            errors: ""
        )
    }
}

/// A terminal without a window.
private struct PseudoTerminal {
    /// The side on which the output appears.
    let screen: FileHandle
    /// The side that a program reads and writes.
    let program: FileHandle

    init(columns: Int) throws {
        var (first, second): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&first, &second, nil, nil, &size) == 0)
        screen = FileHandle(fileDescriptor: first, closeOnDealloc: true)
        program = FileHandle(fileDescriptor: second, closeOnDealloc: true)
    }
}
