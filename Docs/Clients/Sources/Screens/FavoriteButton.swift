import ProductKit
import SwiftUI

struct FavoriteButton: View {
    let screen: ProductViewModel

    var body: some View {
        Button(
            (screen.isFavorite ? "Remove from favorites" : "Add to favorites")
                + (screen.isFavoriteUnsent ? ", not sent yet" : ""),
            systemImage: screen.isFavorite ? "star.fill" : "star"
        ) {
            Task { try? await screen.toggleProductFavoriteStatus() }
        }
        .opacity(screen.isFavoriteUnsent ? 0.6 : 1)
    }
}
