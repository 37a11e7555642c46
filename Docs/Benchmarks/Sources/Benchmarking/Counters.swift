import CCounters
import Foundation

/// The counts of this process so far.
struct Counters {
    /// The counted quantities, in the order of ``counts``.
    static let quantities: [Quantity] = [.hops, .allocations, .writes, .syncs]

    private let hops = counters_hops()
    private let allocations = counters_allocations()
    private let writes = counters_writes()
    private let syncs = counters_syncs()

    /// The counts of ``quantities``; `nil` for one that the platform does not count.
    var counts: [Int?] {
        [hops, allocations, writes, syncs].map { $0 < 0 ? nil : $0 }
    }

    /// The CPU time of the process in seconds.
    static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Resets the maximum of ``resident(peak:)``.
    static func resetPeak() {
        counters_trim_heap()
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    }

    /// The maximum or current resident memory in bytes; `nil` if the platform does not report it.
    static func resident(peak: Bool) -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let match = status?.firstMatch(of: peak ? /VmHWM:\s+(\d+) kB/ : /VmRSS:\s+(\d+) kB/)
        return match.flatMap { Int($0.1) }.map { $0 * 1_024 }
    }

    /// The heap memory in use, in bytes; `nil` if the platform does not report it.
    static var heapInUse: Int? {
        let bytes = counters_heap_in_use()
        return bytes == 0 ? nil : Int(bytes)
    }
}
