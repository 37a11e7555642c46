import Dispatch

/// Where tasks run one after another, so that a test knows when they have come to a halt.
///
/// ```swift
/// let task = Task(executorPreference: lane) { … }
/// await lane.settle()
/// ```
final class Lane: TaskExecutor {
    private let queue = DispatchQueue(label: "lane")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Comes back when every task that could go on has gone on until it waits for something.
    func settle() async {
        await withCheckedContinuation { settled in
            queue.async { settled.resume() }
        }
    }
}
