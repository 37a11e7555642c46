import CCounters
import Foundation

/// Runs benchmarks as the command line asks.
///
/// Nothing runs them all; names, or beginnings of names, run those. See ``usage``.
public enum BenchmarkRun {
    static let usage = """
        USAGE: benchmarks [NAME…] [--quick] [--json | --markdown] [--chart FILE]
               benchmarks list
               benchmarks only NAME [COUNT]

          NAME           a benchmark, or the beginning of some, such as "reload"; all if there is none
          --quick        fewer rounds; ratios may be 0.15 more and times half as much again, what is
                         counted may not
          --json         for machines
          --markdown     for an article
          --chart FILE   also draw the figures as SVG
          list           tell what there is
          only           do it COUNT times without its peer, for a profiler: 1000 of what is compared,
                         1 of the rest
        Exits with 1 when a figure is over its limit, 2 when one could not be measured, 64 when it does
        not understand.
        """

    /// Does what the command line says, and ends the process.
    ///
    /// - Parameters:
    ///   - benchmarks: What there is.
    ///   - arguments: The command line without the program's name.
    /// - Returns: Never: it ends the process, with 1 when a limit is broken.
    @MainActor public static func main(
        _ benchmarks: [Benchmark],
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) async -> Never {
        do {
            let holds = try await run(benchmarks, Command(arguments))
            exit(holds ? 0 : 1)
        } catch let error as Command.Misunderstanding {
            FileHandle.standardError.write(Data("\(error.description)\n\n\(usage)\n".utf8))
            exit(64)
        } catch {
            FileHandle.standardError.write(Data("It could not be measured: \(error)\n".utf8))
            exit(2)
        }
    }

    @MainActor private static func run(
        _ benchmarks: [Benchmark],
        _ command: Command
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
                throw Command.Misunderstanding(unknown: name)
            }
            let figures = try await benchmark.run(Referee(order: .show(count)))
            for figure in figures { print(name, Table.text(figure.value, figure.quantity)) }
        case .measure(let names, let options):
            let chosen = benchmarks.filter { benchmark in
                names.isEmpty || names.contains { benchmark.name.hasPrefix($0) }
            }
            for name in names where !chosen.contains(where: { $0.name.hasPrefix(name) }) {
                throw Command.Misunderstanding(unknown: name)
            }
            return try await measure(chosen, options)
        }
        return true
    }

    @MainActor private static func measure(
        _ benchmarks: [Benchmark],
        _ options: Command.Options
    ) async throws -> Bool {
        var yardstick = Yardstick()
        var report = Report(
            machine: .current,
            date: Date(),
            effort: options.effort,
            yardstick: median((0..<9).map { _ in yardstick.measure() })
        )
        let isLive = options.style == .table
        if isLive { print(Table.heading(report)) }
        for benchmark in benchmarks {
            let entry = try await measure(benchmark, options.effort)
            report.entries.append(entry)
            if isLive { print(Table.line(entry)) }
        }
        switch options.style {
        case .table: break
        case .markdown: print(Table.markdown(report))
        case .json: print(try report.json)
        }
        if let file = options.chart {
            try Chart.svg(report).write(toFile: file, atomically: true, encoding: .utf8)
        }
        if !report.failures.isEmpty {
            let names = report.failures.map(\.name).joined(separator: ", ")
            FileHandle.standardError.write(Data("Over the limit: \(names)\n".utf8))
        }
        return report.failures.isEmpty
    }

    /// Measures once, and when what is timed seems over its limit once more, with more rounds: that
    /// one counts.
    @MainActor private static func measure(
        _ benchmark: Benchmark,
        _ effort: Effort
    ) async throws -> Report.Entry {
        let figures = try await benchmark.run(Referee(order: .measure(effort)))
        let entry = Report.Entry(benchmark, figures, effort)
        if entry.holds || !entry.mayBeDisturbed { return entry }
        let again = try await benchmark.run(Referee(order: .measure(effort.thorough)))
        return Report.Entry(benchmark, again, effort)
    }
}
