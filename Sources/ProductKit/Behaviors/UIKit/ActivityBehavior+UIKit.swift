// UIKit has no UIActivityIndicatorView on watchOS.
#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension ActivityBehavior {
    /// Creates a behavior with its own counter that animates an activity indicator.
    ///
    /// It can be created on any thread. The indicator starts when the first request starts, and
    /// stops when the last one has ended:
    ///
    /// ```swift
    /// let activity = ActivityBehavior.animating(spinner)
    /// ```
    ///
    /// The behavior does not keep the indicator alive. Without it, requests are sent as usual. In a
    /// network client that exists longer than its screens, use ``onMainActor(_:)``, for example to
    /// set a property that the present screen observes.
    ///
    /// - Parameter indicator: The indicator.
    /// - Returns: The behavior.
    public static func animating(_ indicator: UIActivityIndicatorView) -> ActivityBehavior {
        .onMainActor { [weak indicator] isActive in
            if isActive {
                indicator?.startAnimating()
            } else {
                indicator?.stopAnimating()
            }
        }
    }
}
#endif
