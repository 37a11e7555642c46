import Foundation
import ProductKit

@MainActor func openScreen(
    shop: URL,
    token: String,
    networking: any Networking = .system
) async throws -> ProductViewModel {
    let service = ProductService(
        baseURL: shop,
        localUser: LocalUser(currency: "EUR"),
        networking: networking
    ) { token }
    let screen = try await service.viewModel(forProductWithID: "walking-boots")
    try await screen.toggleProductFavoriteStatus()
    try await screen.addProductToList(withID: "wishlist")
    return screen
}
