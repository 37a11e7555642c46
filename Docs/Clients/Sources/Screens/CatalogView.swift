import ProductKit
import SwiftUI

struct CatalogView: View {
    @State var list: CatalogViewModel
    @State var text = ""
    let service: ProductService

    var body: some View {
        List(list.rows) { row in
            NavigationLink(row.title, value: row)
                .badge(row.isFavorite ? "★" : row.priceText ?? "")
                .disabled(row.isDeleted)
                .task { try? await list.loadNextPage(ifNearEnd: row) }
        }
        .navigationDestination(for: ProductRow.self) { row in
            ProductScreen(screen: service.viewModel(for: row.product))
        }
        .opacity(list.isShowingPreviousResults ? 0.5 : 1)
        .overlay { if list.phase == .loading && list.rows.isEmpty { ProgressView() } }
        .searchable(text: $text)
        .task(id: text) { try? await list.search(text) }
        .refreshable { try? await list.refresh() }
    }
}
