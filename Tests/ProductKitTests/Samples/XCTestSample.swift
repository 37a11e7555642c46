import ProductKit
import XCTest

@MainActor final class ScreenTests: XCTestCase {
    func testReloadShowsTheLoadedProduct() async throws {
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        let screen = ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(
                reload: { Product(id: "walking-boots", name: "Lighter Boots") },
                otherwise: { XCTFail($0.localizedDescription) }
            )
        )

        try await screen.reload()

        XCTAssertEqual(screen.title, "Lighter Boots")
    }
}
