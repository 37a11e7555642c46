import Foundation
import ProductKit
import Testing
import UIKit

/// The initializer of `BackgroundTaskBehavior` for UIKit.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BackgroundTaskTests {
    // Can be created without the main actor.
    private static let behavior = BackgroundTaskBehavior()

    @Test func `a request is sent within a background task of the app`() async throws {
        let app = await Self.appWithoutTasks()

        try await Self.behavior.send {
            #expect(app.runningBackgroundTasks.count == 1)
        }

        #expect(app.runningBackgroundTasks.isEmpty)
        #expect(app.backgroundTaskCalls == [.began(name: "ProductKit"), .ended(1)])
    }

    @Test func `each request has a background task with the name of the behavior`() async throws {
        let app = await Self.appWithoutTasks()
        let behavior = BackgroundTaskBehavior(name: "Checkout")

        try await behavior.send { try await behavior.send {} }

        let began = UIApplication.BackgroundTaskCall.began(name: "Checkout")
        #expect(app.backgroundTaskCalls == [began, began, .ended(2), .ended(1)])
    }

    @Test func `a failed request ends its background task`() async throws {
        let app = await Self.appWithoutTasks()

        await #expect(throws: URLError.self) {
            try await Self.behavior.send { throw URLError(.timedOut) }
        }

        #expect(app.backgroundTaskCalls == [.began(name: "ProductKit"), .ended(1)])
    }

    @Test func `a cancelled request ends its background task`() async throws {
        let app = await Self.appWithoutTasks()
        let task = Task {
            try await Self.behavior.send {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await withCancellableCompletion { _ in {} }
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }

        #expect(app.backgroundTaskCalls == [.began(name: "ProductKit"), .ended(1)])
    }

    @Test func `an expired task ends before its handler returns, and once`() async throws {
        let app = await Self.appWithoutTasks()

        try await Self.behavior.send {
            #expect(await app.expireBackgroundTasks() == [])
            #expect(app.backgroundTaskCalls.last == .ended(1))
        }

        #expect(app.backgroundTaskCalls == [.began(name: "ProductKit"), .ended(1)])
    }

    @Test func `refused background time sends the request and ends nothing`() async throws {
        let app = await Self.appWithoutTasks(refusingNewTasks: true)

        let response = try await Self.behavior.send {}

        #expect(response == NetworkResponse(statusCode: 204))
        #expect(app.backgroundTaskCalls == [.began(name: "ProductKit")])
    }

    @Test func `the app is read for each request and not before`() async throws {
        _ = await Self.appWithoutTasks()
        let behavior = BackgroundTaskBehavior(application: .shared)
        #expect(await UIApplication.sharedReads == 0)

        try await behavior.send {}
        try await behavior.send {}

        #expect(await UIApplication.sharedReads == 2)
    }

    @Test func `the background task of a service covers its requests`() async throws {
        let app = await Self.appWithoutTasks()
        let backend = ProductBackend(
            baseURL: .api,
            networking: .closure { _ in
                #expect(app.runningBackgroundTasks.count == 1)
                return try NetworkResponse(json: Product.boots)
            },
            behaviors: [Self.behavior]
        )
        let service = ProductService(backend: backend, localUser: .sample, user: .guest)

        _ = try await service.loader.loadProduct(withID: Product.boots.id)

        #expect(app.backgroundTaskCalls == [.began(name: "ProductKit"), .ended(1)])
    }

    @MainActor private static func appWithoutTasks(
        refusingNewTasks isRefusing: Bool = false
    ) -> UIApplication {
        let app = UIApplication.shared
        app.removeBackgroundTasks(refusingNewTasks: isRefusing)
        return app
    }
}

extension BackgroundTaskBehavior {
    /// Sends a request that has no content in its response.
    @discardableResult
    fileprivate func send(
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> NetworkResponse {
        try await intercept(
            OutgoingRequest(url: .api),
            next: NetworkExchange { _ in
                try await work()
                return NetworkResponse(statusCode: 204)
            }
        )
    }
}

extension UIApplication.BackgroundTaskCall {
    /// A background task that began on the main actor.
    fileprivate static func began(name: String) -> Self { .began(name: name, onMainActor: true) }

    fileprivate static func ended(_ number: Int) -> Self {
        .ended(UIBackgroundTaskIdentifier(rawValue: number))
    }
}
