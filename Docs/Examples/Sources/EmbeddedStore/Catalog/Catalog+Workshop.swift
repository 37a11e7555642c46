extension StoreProduct {
    static let workshop = [
        StoreProduct(
            "bicycle-pump",
            "Windle Floor Pump",
            "Eleven bar without standing on your toes. Every seal inside can be bought again.",
            prices: ["EUR": "59.00", "USD": "64.00", "GBP": "51.50"],
            updated: "2025-06-18",
            ["brand": "Windle", "material": "Steel", "sku": "WI-FP-11"]
        ),
        StoreProduct(
            "bicycle-bell",
            "Windle Brass Bell",
            "One clear note, heard by people with headphones and not minded by horses.",
            prices: ["EUR": "21.00", "USD": "23.00", "GBP": "18.50", "JPY": "3480"],
            updated: "2025-06-19",
            ["brand": "Windle", "material": "Brass", "sku": "WI-BB-1"]
        ),
        StoreProduct(
            "wool-socks-3",
            "Fellstride Wool Socks, Three Pairs",
            "Merino where it touches, nylon where it rubs. Darning yarn is in the box.",
            prices: ["EUR": "36.00", "USD": "39.00", "GBP": "31.00"],
            updated: "2025-10-02",
            ["brand": "Fellstride", "material": "Merino wool", "size": "36–47", "sku": "FS-WS-3"]
        ),
        StoreProduct(
            "screwdriver-set",
            "Tinkerfield Screwdriver Set",
            "Eight blades and one handle that you will look for less often than the others.",
            prices: ["EUR": "48.00", "USD": "52.00"],
            pictures: 2,
            updated: "2025-03-27",
            ["brand": "Tinkerfield", "material": "Chrome vanadium", "sku": "TF-SD-8"]
        ),
        StoreProduct(
            "garden-trowel",
            "Green Parcel Garden Trowel",
            "Forged in one piece, marked in centimetres, bright enough to find again.",
            prices: ["EUR": "26.00", "GBP": "22.50"],
            updated: "2025-03-01",
            ["brand": "Green Parcel", "material": "Stainless steel", "sku": "GP-GT-1"]
        ),
        StoreProduct(
            "tomato-seeds",
            "Green Parcel Tomato Seeds, Six Kinds",
            "Old kinds from three valleys, with a note about which of them likes shade.",
            prices: ["EUR": "9.80", "USD": "10.50"],
            updated: "2025-01-16",
            ["brand": "Green Parcel", "harvest": "2024", "sku": "GP-TS-6"]
        ),
        StoreProduct(
            "restoration-workshop",
            "Chair Restoration Workshop",
            "Two days, one broken chair, all tools provided. Call us for the next dates.",
            prices: [:],
            updated: "2025-10-30",
            ["brand": "Oddland", "duration": "2 days", "sku": "OD-WS-1"]
        ),
        StoreProduct(
            "gift-card",
            "Gift Card",
            "For people who know best what they need. It does not expire.",
            prices: ["EUR": "25.00", "USD": "25.00", "GBP": "25.00", "KWD": "8.000"],
            updated: "2025-01-02",
            ["format": "Code by mail", "sku": "GIFT-25"]
        ),
    ]
}
