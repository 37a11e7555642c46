import CCounters
import Foundation

/// What this process has spent so far.
struct Counters {
    /// Blocks of memory it has asked for; `nil` where nobody counts.
    let allocations = counters_allocations() < 0 ? nil : counters_allocations()
    /// Jobs it has handed to the global executor.
    let hops = counters_hops()

    /// Seconds in which the process kept processors busy.
    static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Forgets how much memory the process had at most.
    static func resetPeak() {
        counters_trim_heap()
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    }

    /// Bytes of memory that the process had at most since then, or has now; `nil` where nobody tells.
    static func resident(peak: Bool) -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let match = status?.firstMatch(of: peak ? /VmHWM:\s+(\d+) kB/ : /VmRSS:\s+(\d+) kB/)
        return match.flatMap { Int($0.1) }.map { $0 * 1_024 }
    }

    /// Bytes in use on the heap; `nil` where nobody tells.
    static var heapInUse: Int? {
        let bytes = counters_heap_in_use()
        return bytes == 0 ? nil : Int(bytes)
    }
}
