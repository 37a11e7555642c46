import Foundation
import ProductKit

extension Product {
    static let boots = Product(
        id: "walking-boots",
        name: "Walking Boots",
        description: "Waterproof leather boots for long days.",
        prices: [
            Price(minorUnits: 12_900, currency: "EUR"),
            Price(minorUnits: 13_900, currency: "USD"),
        ]
    )
}
