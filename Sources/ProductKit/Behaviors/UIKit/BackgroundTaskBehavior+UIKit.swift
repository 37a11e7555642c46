// UIKit has no UIApplication on watchOS.
#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension BackgroundTaskBehavior {
    /// Creates a behavior that uses the background tasks of the app.
    ///
    /// It can be created on any thread, also before the app has launched. If the system refuses
    /// background time, the request is sent without it. App extensions have no `UIApplication`: in
    /// code that they share with the app, use ``init(begin:end:)``, for example with
    /// `ProcessInfo.performExpiringActivity(withReason:using:)`.
    ///
    /// - Parameters:
    ///   - application: The app, evaluated on the main actor when a request starts.
    ///   - name: The name of the background task in the debugger.
    @available(iOSApplicationExtension, unavailable, message: "Use init(begin:end:).")
    @available(tvOSApplicationExtension, unavailable, message: "Use init(begin:end:).")
    @available(visionOSApplicationExtension, unavailable, message: "Use init(begin:end:).")
    public init(
        application: @autoclosure @escaping @MainActor @Sendable () -> UIApplication = .shared,
        name: String = "ProductKit"
    ) {
        self.init(
            begin: { expire in
                await MainActor.run {
                    let application = application()
                    let identifier = application.beginBackgroundTask(
                        withName: name,
                        expirationHandler: expire
                    )
                    return identifier == .invalid ? nil : (application, identifier)
                }
            },
            // The expiration handler must end the task before it returns. UIKit allows this on any
            // thread.
            end: { task in
                guard let (application, identifier) = task else { return }
                application.endBackgroundTask(identifier)
            }
        )
    }
}
#endif
