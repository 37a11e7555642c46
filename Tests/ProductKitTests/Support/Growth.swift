import Foundation

/// Returns how many times more work an input takes that is 32 times as long.
///
/// The work is measured as processor time of this thread, so that other threads do not matter. The
/// result is about 32 if the work is proportional to the length, and about 1,024 if it is quadratic.
func growth<Input>(of work: (Input) -> Void, for input: (_ length: Int) -> Input) -> Double {
    func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
    let times = [250, 8_000].map { length in
        let input = input(length)
        return (0..<5).map { _ in
            let start = processorTime()
            work(input)
            return processorTime() - start
        }
        .min() ?? 0
    }
    return times[1] / max(times[0], 1)
}
