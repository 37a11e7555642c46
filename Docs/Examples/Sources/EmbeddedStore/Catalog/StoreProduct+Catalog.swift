extension StoreProduct {
    /// What a store sells when nothing else is said: forty products of brands that do not exist.
    ///
    /// Among them are one without prices (`restoration-workshop`), one that is free
    /// (`trail-map-app`), some that are not available or not sold in dollars, and identifiers
    /// with a slash (`gid://shop/42`), an umlaut (`käsereibe`), and a percent sign (`100%-linen`).
    public static let catalog = outdoor + kitchen + home + books + workshop

    /// Makes a product whose addresses follow from a short name.
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
