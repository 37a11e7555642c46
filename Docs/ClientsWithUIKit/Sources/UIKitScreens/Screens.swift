import ProductKit
import UIKit

/// Creates the screens for tests, which see only their types in UIKit.
@MainActor package enum Screens {
    package static func catalog(
        _ catalog: CatalogViewModel,
        service: ProductService
    ) -> UITableViewController {
        CatalogViewController(catalog: catalog, service: service)
    }

    package static func product(_ product: Product, service: ProductService) -> UIViewController {
        ProductViewController(product: product, service: service)
    }
}
