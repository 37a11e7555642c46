import ProductKit
import SwiftUI

struct FavoriteButton: View {
    let screen: ProductViewModel

    var body: some View {
        Button(
            screen.isFavoriteUnsent ? "Favorite, not sent yet" : "Favorite",
            systemImage: screen.isFavorite ? "star.fill" : "star"
        ) {
            Task { try? await screen.toggleProductFavoriteStatus() }
        }
        .opacity(screen.isFavoriteUnsent ? 0.6 : 1)
    }
}
