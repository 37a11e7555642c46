import Foundation
import ProductKit
import Synchronization
import Testing
import UIKit

/// The function of `ActivityBehavior` for UIKit.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ActivityIndicatorTests {
    @Test func `an indicator is animated while requests are in flight`() async {
        let spinner = UIActivityIndicatorView(style: .medium)
        let activity = ActivityBehavior.animating(spinner)

        activity.beforeSend()
        activity.beforeSend()
        #expect(await eventually { spinner.isAnimating })
        activity.afterSuccess(result: 1)
        await runTasks()
        #expect(spinner.isAnimating)
        activity.afterFailure(error: CancellationError())

        #expect(await eventually { !spinner.isAnimating })
        #expect(spinner.changes == 2)
    }

    @Test func `a behavior that is created on another thread is used from there`() async {
        let spinner = UIActivityIndicatorView(style: .medium)

        await Self.sendRequests(1_000, animating: spinner)

        #expect(await eventually { spinner.changes == 2_000 })
        #expect(!spinner.isAnimating)
    }

    @Test func `the indicator of a closed screen is not kept alive`() async {
        var spinner: UIActivityIndicatorView? = UIActivityIndicatorView(style: .large)
        weak let indicator = spinner
        let activity = spinner.map(ActivityBehavior.animating)
        activity?.beforeSend()
        #expect(await eventually { spinner?.isAnimating == true })

        spinner = nil

        #expect(indicator == nil)
        activity?.afterSuccess(result: 1)
        await runTasks()
    }

    @concurrent private static func sendRequests(
        _ count: Int,
        animating spinner: UIActivityIndicatorView
    ) async {
        let activity = ActivityBehavior.animating(spinner)
        for _ in 0..<count {
            activity.beforeSend()
            activity.afterSuccess(result: 1)
        }
    }
}
