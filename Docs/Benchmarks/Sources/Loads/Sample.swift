import Foundation
public import ProductKit

/// The product of all benchmarks: about 1.1 kB of JSON with every member of the contract.
public enum Sample {
    /// The JSON that the store sends.
    public static let json = """
        {"id": "walking-boots", "name": "Walking Boots", "description": "\(description)", \
        "prices": [{"amount": "129.95", "currency": "EUR"}, {"amount": "139.00", "currency": "USD"}], \
        "images": ["https://cdn.shop.example/boots/side.jpg", "https://cdn.shop.example/boots/sole.jpg"], \
        "url": "https://shop.example/products/walking-boots", "isAvailable": true, "isFavorite": false, \
        "updatedAt": "2026-08-01T10:00:00Z", \
        "attributes": {"brand": "Fjellvann", "material": "leather", "sku": "FV-2231-43"}}
        """

    /// The product that the JSON describes.
    public static let product = Product(
        id: "walking-boots",
        name: "Walking Boots",
        description: description,
        prices: [
            Price(minorUnits: 12_995, currency: "EUR"), Price(minorUnits: 13_900, currency: "USD"),
        ],
        images: ["side", "sole"].compactMap { view in
            URL(string: "https://cdn.shop.example/boots/\(view).jpg")
        },
        url: URL(string: "https://shop.example/products/walking-boots"),
        isAvailable: true,
        updatedAt: Date(timeIntervalSince1970: 1_785_578_400),
        attributes: ["brand": "Fjellvann", "material": "leather", "sku": "FV-2231-43"]
    )

    /// A product with another name of the same length.
    public static let sandals: Product = {
        var sandals = product
        sandals.name = "Summer Sandal"
        return sandals
    }()

    private static let description = String(
        repeating: "Light boots for long days on soft ground, with a sole that can be renewed. ",
        count: 8
    )
}
