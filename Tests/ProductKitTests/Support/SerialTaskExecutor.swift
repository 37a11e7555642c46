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
    private let onEnqueue: @Sendable () -> Void

    /// Creates an executor with a closure that is called whenever a task is resumed, by the code that
    /// resumes it.
    init(onEnqueue: @escaping @Sendable () -> Void = {}) {
        self.onEnqueue = onEnqueue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        onEnqueue()
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
