#if canImport(UIKit) && !os(watchOS)
public import UIKit

// A separate file because UIKit does not exist on every platform.
extension BackgroundTaskBehavior {
    /// Creates a behavior that uses the background tasks of an app.
    ///
    /// - Parameters:
    ///   - application: The app, usually `UIApplication.shared`.
    ///   - name: The name of the background task in the debugger.
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
                // The expiration handler runs on the main thread and must end the task before it
                // returns.
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
