import Foundation

extension Product {
    /// A product for previews and tests: the first of ``samples``.
    public static let sample = Product(
        id: "walking-boots",
        name: "Walking Boots",
        description: "Light boots for long days on soft ground, with a sole that can be renewed.",
        prices: [
            Price(minorUnits: 12_995, currency: "EUR"), Price(minorUnits: 13_900, currency: "USD"),
        ],
        isAvailable: true,
        attributes: ["brand": "Fjellvann", "material": "leather"]
    )

    /// Some invented products for previews and tests: with and without a price, available or not,
    /// with long and short texts, and in two currencies.
    public static let samples = [
        sample,
        Product(
            id: "family-tent",
            name: "Family Tent for Six, with Two Rooms and a Porch",
            description: "It is pitched in ten minutes. The porch keeps boots and bicycles dry.",
            prices: [Price(minorUnits: 49_900, currency: "EUR")],
            isAvailable: false,
            attributes: ["brand": "Fjellvann", "weight": "11 kg"]
        ),
        Product(
            id: "enamel-mug",
            name: "Enamel Mug",
            prices: [
                Price(minorUnits: 950, currency: "EUR"), Price(minorUnits: 1_000, currency: "USD"),
            ],
            isAvailable: true,
            isFavorite: true
        ),
        Product(
            id: "iron-pan",
            name: "Iron Pan",
            description: "A pan for fires and stoves.",
            prices: [Price(minorUnits: 3_995, currency: "EUR")]
        ),
        Product(id: "trail-map", name: "Trail Map", description: "Free with every pair of boots."),
    ]
}

extension ProductList {
    /// A list for previews and tests, with two of ``Product/samples``.
    public static let sample = ProductList(
        id: "camping-trip",
        name: "Camping Trip",
        products: ["family-tent", "enamel-mug"]
    )
}

extension LocalUser {
    /// A user for previews and tests, who pays in euros and reads English.
    public static let sample = LocalUser(currency: "EUR", locale: Locale(identifier: "en_US"))
}
