public import CCounters
import Foundation

/// What this process has spent so far.
struct Counters {
    /// Seconds in which it kept a processor busy.
    var seconds = Counters.cpuSeconds
    /// Blocks of memory it has asked for; `nil` where nobody counts.
    var allocations = counters_allocations() < 0 ? nil : counters_allocations()
    /// Jobs it has handed to the global executor.
    var hops = counters_hops()

    static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Bytes in use on the heap; `nil` where nobody tells.
    static var heapInUse: Int? {
        let bytes = counters_heap_in_use()
        return bytes == 0 ? nil : Int(bytes)
    }
}

/// Makes the compiler compute a value that nobody needs.
@inlinable public func keep<Value>(_ value: Value) {
    withUnsafePointer(to: value) { counters_look_at($0) }
}

/// Hides from the compiler what a value is made of, so that closures in it are called as a stranger's.
@inline(never) public func opaque<Value>(_ value: Value) -> Value {
    value
}
