import Dispatch

/// An executor that runs its tasks one after another, so that a test can wait until all of them
/// are suspended.
///
/// ```swift
/// let task = Task(executorPreference: executor) { … }
/// await executor.waitUntilIdle()
/// ```
final class SerialTaskExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "SerialTaskExecutor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Returns when every task that could run has run until it ended or was suspended.
    func waitUntilIdle() async {
        await withCheckedContinuation { idle in
            queue.async { idle.resume() }
        }
    }
}
