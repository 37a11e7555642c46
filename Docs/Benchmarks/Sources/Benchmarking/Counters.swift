import CCounters
import Foundation

/// The resources that this process has used so far.
struct Counters {
    /// The number of heap allocations; `nil` if the platform does not count them.
    let allocations = counters_allocations() < 0 ? nil : counters_allocations()
    /// The number of jobs on the global executor.
    let hops = counters_hops()

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
