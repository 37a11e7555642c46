import Dispatch
import Synchronization

/// A declaration of UIKit's `UIApplication`, with the background tasks of an app.
///
/// The module UIKit of this package replaces Apple's on Linux. It contains the declarations that the
/// library and its documentation use, with the attributes that they have in the SDK of iOS 18, so
/// that the compiler checks every call. Members with the access level `package` are for tests.
@MainActor public final class UIApplication: UIResponder {
    /// A call of the app that begins or ends a background task.
    package enum BackgroundTaskCall: Hashable, Sendable {
        case began(name: String?, onMainActor: Bool)
        case ended(UIBackgroundTaskIdentifier)
    }

    private struct State {
        var tasks: [UIBackgroundTaskIdentifier: (@MainActor @Sendable () -> Void)?] = [:]
        var calls: [BackgroundTaskCall] = []
        var isRefusing = false
        var lastIdentifier = 0
    }

    public class var shared: UIApplication {
        sharedReads += 1
        return application
    }
    private static let application = UIApplication()
    /// How often `shared` has been read.
    package private(set) static var sharedReads = 0

    private nonisolated let state = Mutex(State())
    private nonisolated let mainQueue = DispatchSpecificKey<Void>()

    private override init() {
        super.init()
        DispatchQueue.main.setSpecific(key: mainQueue, value: ())
    }

    private nonisolated var isOnMainActor: Bool {
        DispatchQueue.getSpecific(key: mainQueue) != nil
    }

    // May be called from any thread, as the next method.
    public nonisolated func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        state.withLock { state in
            state.calls.append(.began(name: taskName, onMainActor: isOnMainActor))
            guard !state.isRefusing else { return .invalid }
            state.lastIdentifier += 1
            let identifier = UIBackgroundTaskIdentifier(rawValue: state.lastIdentifier)
            state.tasks[identifier] = .some(handler)
            return identifier
        }
    }

    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        state.withLock { state in
            state.calls.append(.ended(identifier))
            state.tasks[identifier] = nil
        }
    }
}

extension UIApplication {
    /// All calls since the last `removeBackgroundTasks()`, in order.
    package nonisolated var backgroundTaskCalls: [BackgroundTaskCall] {
        state.withLock { $0.calls }
    }

    /// The background tasks that have not ended.
    package nonisolated var runningBackgroundTasks: Set<UIBackgroundTaskIdentifier> {
        state.withLock { Set($0.tasks.keys) }
    }

    /// Calls the expiration handlers of all background tasks, as the system does on the main thread.
    ///
    /// - Returns: The tasks that had not ended when their handlers returned. The system ends an app
    ///   that has such tasks.
    package func expireBackgroundTasks() -> Set<UIBackgroundTaskIdentifier> {
        for handler in state.withLock({ Array($0.tasks.values) }) { handler?() }
        return runningBackgroundTasks
    }

    /// Removes all background tasks and calls, and then refuses or permits new tasks.
    package func removeBackgroundTasks(refusingNewTasks isRefusing: Bool = false) {
        state.withLock { $0 = State(isRefusing: isRefusing) }
        Self.sharedReads = 0
    }
}

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)

    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
