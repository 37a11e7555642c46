#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension BackgroundTaskBehavior {
    /// Creates a behavior over an app's background tasks.
    ///
    /// - Parameters:
    ///   - application: The app, `UIApplication.shared`.
    ///   - name: What the task is called in the debugger.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    public init(application: UIApplication, name: String = "ProductKit") {
        self.init(
            begin: { expire in
                await MainActor.run {
                    application.beginBackgroundTask(withName: name, expirationHandler: expire)
                }
            },
            end: { identifier in
                // The system wants the end before its expiration handler, on the main thread, returns.
                if Thread.isMainThread {
                    MainActor.assumeIsolated { application.endBackgroundTask(identifier) }
                } else {
                    DispatchQueue.main.async { application.endBackgroundTask(identifier) }
                }
            }
        )
    }
}
#endif
