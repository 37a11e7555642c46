import Observation
import ProductKit
import UIKit

final class ProductViewController: UIViewController {
    private let screen: ProductViewModel
    private let spinner = UIActivityIndicatorView(style: .medium)
    private let priceLabel = UILabel()
    private lazy var favoriteButton = UIBarButtonItem(
        primaryAction: UIAction { [screen] _ in
            Task { try? await screen.toggleProductFavoriteStatus() }
        }
    )

    init(product: Product, service: ProductService) {
        let activity = ActivityBehavior.animating(spinner)
        screen = service.with(behaviors: [activity]).viewModel(for: product)
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func loadView() {
        view = UIStackView(arrangedSubviews: [priceLabel, spinner])
        view.backgroundColor = .systemBackground
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        navigationItem.rightBarButtonItem = favoriteButton
        showProduct()
        // A product of a catalog row may lack members.
        Task { [screen] in try? await screen.reload() }
    }

    private func showProduct() {
        withObservationTracking {
            title = screen.title
            priceLabel.text = screen.priceText
            favoriteButton.title =
                screen.isFavorite ? "Remove from favorites" : "Add to favorites"
            favoriteButton.image = UIImage(
                systemName: screen.isFavorite ? "star.fill" : "star"
            )
        } onChange: { [weak self] in
            Task { @MainActor in self?.showProduct() }
        }
    }
}
