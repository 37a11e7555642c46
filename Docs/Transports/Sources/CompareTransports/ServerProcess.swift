import Foundation

/// This program once more, as the server, so that its work is not counted.
struct ServerProcess {
    /// Where it serves.
    let address: URL
    private let process = Process()
    private let input = Pipe()

    /// Starts it.
    ///
    /// - Throws: The system's reason, or `CocoaError` when it tells no port.
    init() throws {
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)),
            let address = URL(string: "http://127.0.0.1:\(port)/v1/products/boots")
        else { throw CocoaError(.fileReadUnknown) }
        self.address = address
    }

    /// Ends it: its input ends.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
