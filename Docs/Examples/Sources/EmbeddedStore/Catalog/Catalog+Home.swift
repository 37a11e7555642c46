extension StoreProduct {
    static let home = [
        StoreProduct(
            "linen-throw",
            "Saltmarsh Linen Throw",
            "Washed until it is soft, woven from flax that grew within sight of the mill.",
            prices: ["EUR": "89.00", "USD": "95.00", "GBP": "78.00"],
            pictures: 2,
            updated: "2025-07-07",
            ["brand": "Saltmarsh", "color": "Sand", "material": "Linen", "sku": "SM-LT-1"]
        ),
        StoreProduct(
            "100%-linen",
            "Saltmarsh Bed Linen, 100 % Flax",
            slug: "bed-linen",
            "A duvet cover and two pillow cases. Cool in July, warm in January.",
            prices: ["EUR": "179.00", "GBP": "155.00"],
            updated: "2025-07-08",
            ["brand": "Saltmarsh", "material": "Linen", "size": "135 × 200 cm", "sku": "SM-BL-2"]
        ),
        StoreProduct(
            "reading-lamp",
            "Glimt Reading Lamp",
            "Warm light on the page and none in the eyes of the person beside you.",
            prices: ["EUR": "119.00", "USD": "129.00", "GBP": "104.00", "JPY": "19800"],
            pictures: 3,
            updated: "2025-09-01",
            ["brand": "Glimt", "material": "Brass", "sku": "GL-RL-1"]
        ),
        StoreProduct(
            "wall-clock",
            "Tock & Sons Wall Clock",
            "A silent movement behind a face that can be read from across the street.",
            prices: ["GBP": "68.00", "EUR": "79.00"],
            updated: "2025-03-19",
            ["brand": "Tock & Sons", "material": "Ash", "sku": "TS-WC-30"]
        ),
        StoreProduct(
            "storage-basket",
            "Oddland Storage Basket",
            "Woven from willow offcuts. Carries logs, toys or a very calm cat.",
            prices: ["EUR": "34.00", "USD": "37.50", "INR": "2999.00"],
            updated: "2025-08-23",
            ["brand": "Oddland", "material": "Willow", "sku": "OD-SB-3"]
        ),
        StoreProduct(
            "wool-rug",
            "Saltmarsh Wool Rug",
            "Hand-knotted in undyed wool, so no two have the same grey.",
            prices: ["EUR": "640.00", "USD": "690.00", "CLF": "16.2250"],
            pictures: 4,
            isAvailable: nil,
            updated: "2025-05-25",
            ["brand": "Saltmarsh", "material": "Wool", "size": "170 × 240 cm", "sku": "SM-WR-1"]
        ),
        StoreProduct(
            "beeswax-candles",
            "Hivewell Beeswax Candles",
            "Six candles that burn for nine hours each and smell of nothing but honey.",
            prices: ["EUR": "24.00", "USD": "26.50", "GBP": "21.00"],
            updated: "2025-11-01",
            ["brand": "Hivewell", "material": "Beeswax", "sku": "HV-BC-6"]
        ),
        StoreProduct(
            "plant-mister",
            "Green Parcel Plant Mister",
            "A fine fog for ferns. The brass pump can be taken apart and cleaned.",
            prices: ["EUR": "22.00", "JPY": "3600"],
            updated: "2025-06-12",
            ["brand": "Green Parcel", "material": "Glass", "sku": "GP-PM-1"]
        ),
    ]
}
