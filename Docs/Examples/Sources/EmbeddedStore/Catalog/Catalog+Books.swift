extension StoreProduct {
    static let books = [
        StoreProduct(
            "field-guide-lichens",
            "A Field Guide to Lichens",
            "Two hundred species on walls, bark and gravestones, painted rather than photographed.",
            prices: ["GBP": "22.50", "EUR": "27.00", "USD": "29.95"],
            updated: "2025-02-14",
            ["brand": "Wren & Vole Press", "format": "Hardcover", "sku": "WV-0117"]
        ),
        StoreProduct(
            "soup-year",
            "Fifty-Two Soups",
            "One for every week, ordered by what the market has. No stock cubes were harmed.",
            prices: ["EUR": "24.00", "USD": "26.00", "GBP": "19.99"],
            updated: "2025-01-09",
            ["brand": "Wren & Vole Press", "format": "Hardcover", "sku": "WV-0123"]
        ),
        StoreProduct(
            "night-train-atlas",
            "The Night Train Atlas",
            "Every sleeper line of a continent, with the best side to sit on at sunrise.",
            prices: ["EUR": "32.00", "GBP": "27.50"],
            updated: "2025-10-10",
            ["brand": "Platform Nine Books", "format": "Paperback", "sku": "PN-2041"]
        ),
        StoreProduct(
            "grid-notebook",
            "Quire Grid Notebook A5",
            "Paper that takes a fountain pen on both sides, and a spine that lies flat.",
            prices: ["EUR": "14.90", "USD": "15.95", "GBP": "12.95", "INR": "1290.00"],
            pictures: 2,
            updated: "2025-09-09",
            ["brand": "Quire", "format": "A5, 192 pages", "sku": "QU-GN-5"]
        ),
        StoreProduct(
            "fountain-pen",
            "Quire Fountain Pen",
            "A steel nib, a window to see the ink, and no reason to own a second one.",
            prices: ["EUR": "58.00", "USD": "62.00", "JPY": "9900"],
            updated: "2025-09-10",
            ["brand": "Quire", "material": "Resin", "sku": "QU-FP-1"]
        ),
        StoreProduct(
            "harbour-puzzle",
            "Harbour at Six, 1000 Pieces",
            "A painted port at dawn. The sky is exactly as hard as it looks.",
            prices: ["EUR": "29.00", "USD": "32.00", "GBP": "25.00"],
            isAvailable: false,
            updated: "2025-08-15",
            ["brand": "Slow Sunday", "material": "Recycled board", "sku": "SS-HP-1000"]
        ),
        StoreProduct(
            "chess-travel-set",
            "Slow Sunday Travel Chess",
            "Magnetic pieces in a roll of felt. Survives a train and most brothers.",
            prices: ["EUR": "44.00", "GBP": "38.00", "KWD": "14.250"],
            updated: "2025-04-28",
            ["brand": "Slow Sunday", "material": "Walnut", "sku": "SS-TC-1"]
        ),
        StoreProduct(
            "birdsong-album",
            "Birdsong of an Ordinary Garden",
            "One hour, one hedge, no music. Lossless and yours to keep.",
            prices: ["EUR": "7.00", "USD": "7.50", "GBP": "6.00"],
            pictures: 0,
            updated: "2025-05-04",
            ["brand": "Hedge Recordings", "format": "Download", "sku": "HR-007"]
        ),
    ]
}
