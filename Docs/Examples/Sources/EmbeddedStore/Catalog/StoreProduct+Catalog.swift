extension StoreProduct {
    /// The default catalog of a store: forty products of fictional brands.
    ///
    /// It covers special cases: no price (`restoration-workshop`), a free product
    /// (`trail-map-app`), products that are unavailable or have no price in dollars, and identifiers
    /// with a slash (`gid://shop/42`), an umlaut (`käsereibe`) and a percent sign (`100%-linen`).
    public static let catalog = outdoor + kitchen + home + books + workshop

    /// Creates a product whose URLs are derived from a short name, by default its identifier.
    init(
        _ id: String,
        _ name: String,
        slug: String? = nil,
        _ description: String,
        prices: KeyValuePairs<String, String>,
        pictures: Int = 1,
        isAvailable: Bool? = true,
        updated day: String,
        _ attributes: [String: String]
    ) {
        let slug = slug ?? id
        self.init(
            id: id,
            name: name,
            description: description,
            prices: prices,
            images: (0..<pictures).map { "https://images.example.com/\(slug)/\($0 + 1).jpg" },
            url: "https://shop.example.com/p/\(slug)",
            isAvailable: isAvailable,
            updatedAt: "\(day)T08:30:00Z",
            attributes: attributes
        )
    }
}
