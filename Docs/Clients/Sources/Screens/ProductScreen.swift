import ProductKit
import SwiftUI

struct ProductScreen: View {
    @State var screen: ProductViewModel

    var body: some View {
        List {
            Text(screen.title).font(.title)
            if let price = screen.priceText {
                Text(price).font(.headline)
            }
            Text(screen.detailText)
            Button("Add to the wishlist", systemImage: "text.badge.plus") {
                Task { try? await screen.addProductToList(withID: "wishlist") }
            }
            if let failure = screen.lastError {
                Label(
                    failure.localizedDescription,
                    systemImage: "exclamationmark.triangle"
                )
            }
        }
        .toolbar {
            Button(
                screen.isFavorite ? "Remove from favorites" : "Add to favorites",
                systemImage: screen.isFavorite ? "star.fill" : "star"
            ) {
                Task { try? await screen.toggleProductFavoriteStatus() }
            }
        }
        .task {
            if screen.phase != .loaded || !screen.source.isFromServer {
                try? await screen.reload()
            }
        }
        .refreshable { try? await screen.reload() }
    }
}
