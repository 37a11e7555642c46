import Foundation

/// The machine of a run.
struct Machine: Codable {
    let processor: String
    let cores: Int
    let system: String
    let toolchain: String

    static var current: Machine {
        let process = ProcessInfo.processInfo
        return Machine(
            processor: processor,
            cores: process.activeProcessorCount,
            system: process.operatingSystemVersionString,
            toolchain: output(of: ["swift", "--version"])
                .firstMatch(of: /Swift version [^ ]+/)
                .map { String($0.output) } ?? "unknown toolchain"
        )
    }

    private static var processor: String {
        #if os(Linux)
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = text.firstMatch(of: /model name\s*: (.+)/)?.1
        return model.map(String.init) ?? "unknown processor"
        #else
        output(of: ["sysctl", "-n", "machdep.cpu.brand_string"])
        #endif
    }

    private static func output(of command: [String]) -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
