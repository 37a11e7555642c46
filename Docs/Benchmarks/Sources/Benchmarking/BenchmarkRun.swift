import CCounters
import Foundation

/// Runs the benchmarks that the command line selects.
///
/// Without names it runs all of them. See ``usage``.
public enum BenchmarkRun {
    static let usage = """
        USAGE: benchmarks [NAME…] [--exact] [--json | --markdown] [--chart FILE]
               benchmarks list
               benchmarks only NAME [COUNT]

          NAME           a benchmark, or the beginning of several names, such as "reload"; default: all
          --exact        check only counts, such as allocations: the same on every machine
          --json         print JSON
          --markdown     print a Markdown table
          --chart FILE   also draw the results as SVG, and for dark pages in FILE~dark.svg
          list           print the names of all benchmarks
          only           run the code COUNT times without its counterpart, for a profiler
                         (default: 1000 for comparisons, otherwise 1)
        Ratios that exceed their limits are measured again at the end, up to three times with more rounds,
        because other load on the machine may have caused them.
        Exits with 1 if a result exceeds its limit, 2 if a measurement failed, and 64 if the arguments
        are invalid.
        """

    /// Runs the command line and exits.
    ///
    /// - Parameters:
    ///   - benchmarks: All benchmarks.
    ///   - scale: The value that the bars of the chart are compared with.
    ///   - arguments: The arguments without the name of the program.
    /// - Returns: Never. The exit code is 1 if a result exceeds its limit.
    @MainActor public static func main(
        _ benchmarks: [Benchmark],
        chart scale: Chart.Scale = .limit,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) async -> Never {
        do {
            let holds = try await run(benchmarks, Command(arguments), scale)
            exit(holds ? 0 : 1)
        } catch let error as Command.InvalidArguments {
            FileHandle.standardError.write(Data("\(error.description)\n\n\(usage)\n".utf8))
            exit(64)
        } catch {
            FileHandle.standardError.write(Data("The measurement failed: \(error)\n".utf8))
            exit(2)
        }
    }

    @MainActor private static func run(
        _ benchmarks: [Benchmark],
        _ command: Command,
        _ scale: Chart.Scale
    ) async throws -> Bool {
        counters_watch_hops()
        switch command {
        case .help:
            print(usage)
        case .list:
            for benchmark in benchmarks {
                print(Table.row(benchmark.name, [benchmark.summary]))
            }
        case .only(let name, let count):
            guard let benchmark = benchmarks.first(where: { $0.name == name }) else {
                throw Command.InvalidArguments(unknown: name)
            }
            let figures = try await benchmark.run(Referee(.show(count), for: benchmark))
            for figure in figures { print(name, Table.text(figure.value, figure.quantity)) }
        case .measure(let names, let options):
            let chosen = benchmarks.filter { benchmark in
                names.isEmpty || names.contains { benchmark.name.hasPrefix($0) }
            }
            for name in names where !chosen.contains(where: { $0.name.hasPrefix(name) }) {
                throw Command.InvalidArguments(unknown: name)
            }
            return try await measure(chosen, options, scale)
        }
        return true
    }

    @MainActor private static func measure(
        _ benchmarks: [Benchmark],
        _ options: Command.Options,
        _ scale: Chart.Scale
    ) async throws -> Bool {
        let benchmarks = benchmarks.filter { benchmark in
            options.effort != .exact || !benchmark.limits(for: .exact).isEmpty
        }
        guard !benchmarks.isEmpty else {
            throw Command.InvalidArguments("None of these benchmarks has a count with a limit.")
        }
        var report = Report(machine: .current, date: Date(), effort: options.effort)
        let isLive = options.style == .table
        if isLive { print(Table.heading(report)) }
        for benchmark in benchmarks {
            let order = options.effort == .exact ? Referee.Order.count : .measure(.full)
            let figures = try await benchmark.run(Referee(order, for: benchmark))
            report.entries.append(Report.Entry(benchmark, figures, options.effort))
            if isLive { report.entries.last.map { print(Table.line($0)) } }
        }
        try await measureAgain(benchmarks, &report, isLive: isLive)
        switch options.style {
        case .table: break
        case .markdown: print(Table.markdown(report))
        case .json: print(try report.json)
        }
        if let file = options.chart {
            let url = URL(filePath: file)
            let name = url.deletingPathExtension().lastPathComponent
            let dark = url.deletingLastPathComponent().appending(path: "\(name)~dark.svg")
            for (url, isDark) in [(url, false), (dark, true)] {
                let chart = Chart.svg(report, scale, isDark: isDark)
                try chart.write(to: url, atomically: true, encoding: .utf8)
            }
        }
        if !report.failures.isEmpty {
            let names = report.failures.map(\.name).joined(separator: ", ")
            FileHandle.standardError.write(Data("Limits exceeded: \(names)\n".utf8))
        }
        return report.failures.isEmpty
    }

    /// Measures the benchmarks again whose ratios or memory exceed their limits.
    ///
    /// Other load comes and goes. Therefore there are three attempts with a pause before each.
    @MainActor private static func measureAgain(
        _ benchmarks: [Benchmark],
        _ report: inout Report,
        isLive: Bool
    ) async throws {
        for _ in 0..<3 where report.entries.contains(where: \.mayBeDisturbed) {
            try await Task.sleep(for: .seconds(10))
            for (index, benchmark) in benchmarks.enumerated()
            where report.entries[index].mayBeDisturbed {
                let referee = Referee(.measure(.thorough), for: benchmark)
                let figures = try await benchmark.run(referee)
                report.entries[index] = Report.Entry(benchmark, figures, report.effort)
                if isLive { print(Table.line(report.entries[index])) }
            }
        }
    }
}
