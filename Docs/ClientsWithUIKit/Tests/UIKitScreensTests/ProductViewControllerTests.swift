import Foundation
import ProductKit
import Synchronization
import Testing
import UIKit
import UIKitScreens

/// The product screen of the documentation, through its interface in UIKit.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ProductViewControllerTests {
    @Test func `the button shows an edit before the server confirms it`() async throws {
        let (responses, respond) = AsyncStream.makeStream(of: NetworkResponse.self)
        let favorite = Product(id: Product.boots.id, name: "Walking Boots", isFavorite: true)
        let service = ProductService(
            baseURL: .api,
            localUser: .sample,
            user: .guest,
            networking: .closure { request in
                // The screen reloads its product when it appears.
                guard request.httpMethod == "PUT" else {
                    return try NetworkResponse(json: Product.boots)
                }
                for await response in responses { return response }
                throw CancellationError()
            }
        )
        let screen = Screens.product(.boots, service: service)
        screen.loadViewIfNeeded()
        let button = try #require(screen.navigationItem.rightBarButtonItem)
        let spinner = try #require(screen.spinner)
        #expect(screen.title == "Walking Boots")
        #expect(button.image?.systemName == "star" && button.title == "Add to favorites")

        button.tap()

        #expect(await eventually { button.image?.systemName == "star.fill" })
        #expect(button.title == "Remove from favorites")
        #expect(await eventually { spinner.isAnimating })
        respond.yield(try NetworkResponse(json: favorite))
        #expect(await eventually { !spinner.isAnimating })
        #expect(button.image?.systemName == "star.fill")
    }

    @Test func `a closed screen is released`() async throws {
        let service = ProductService.inMemory(products: [.boots])
        var screen: UIViewController? = Screens.product(.boots, service: service)
        weak let closed = screen
        screen?.loadViewIfNeeded()

        screen = nil
        #expect(closed == nil)
        try await service.viewModel(for: .boots).toggleProductFavoriteStatus()
        await runTasks()
    }
}

extension UIViewController {
    /// The activity indicator of the screen.
    fileprivate var spinner: UIActivityIndicatorView? {
        view.subviews.lazy.compactMap { $0 as? UIActivityIndicatorView }.first
    }
}
