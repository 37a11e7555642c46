import ProductKit
import SwiftUI

struct ShopView: View {
    let service: ProductService

    var body: some View {
        NavigationStack {
            CatalogView(list: service.catalogViewModel(), service: service)
        }
    }
}
