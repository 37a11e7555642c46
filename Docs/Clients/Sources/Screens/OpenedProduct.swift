import ProductKit
import SwiftUI

struct OpenedProduct: View {
    let service: ProductService
    let id: Product.ID
    @State private var screen: ProductViewModel?
    @State private var failure: String?

    var body: some View {
        if let screen {
            ProductScreen(screen: screen)
        } else if let failure {
            Label(failure, systemImage: "exclamationmark.triangle")
        } else {
            ProgressView().task { await open() }
        }
    }

    private func open() async {
        do {
            screen = try await service.viewModel(forProductWithID: id)
        } catch is CancellationError {
            // The view disappeared before the response arrived.
        } catch {
            failure = error.localizedDescription
        }
    }
}
