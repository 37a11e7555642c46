extension StoreProduct {
    static let outdoor = [
        StoreProduct(
            "walking-boots",
            "Fellstride Walking Boots",
            "Full-grain leather boots with a sole that grips wet limestone. Resoleable, twice.",
            prices: ["EUR": "129.95", "USD": "139.00", "GBP": "114.00", "JPY": "21800"],
            pictures: 3,
            updated: "2025-09-14",
            ["brand": "Fellstride", "material": "Leather", "sku": "FS-WB-01", "weight": "1.2 kg"]
        ),
        StoreProduct(
            "family-tent",
            "Larkhaven Family Tent",
            "Room for five and their wet jackets. Two people pitch it in eleven minutes.",
            prices: ["EUR": "449.00", "USD": "489.00", "GBP": "389.00"],
            pictures: 4,
            updated: "2025-08-02",
            ["brand": "Larkhaven", "material": "Recycled polyester", "sku": "LH-FT-5"]
        ),
        StoreProduct(
            "camp-stove",
            "Ember Nine Camp Stove",
            "A folding burner that boils a litre in three minutes, even in wind.",
            prices: ["EUR": "64.90", "USD": "69.95", "GBP": "57.50", "KWD": "21.500"],
            pictures: 2,
            updated: "2025-07-21",
            ["brand": "Ember Nine", "material": "Titanium", "sku": "EN-CS-9"]
        ),
        StoreProduct(
            "enamel-mug",
            "Tinkerfield Enamel Mug",
            "Holds 350 ml of something hot and survives being dropped on a rock.",
            prices: ["EUR": "12.50", "USD": "13.95", "GBP": "10.95", "INR": "1149.00"],
            pictures: 2,
            updated: "2025-10-05",
            ["brand": "Tinkerfield", "color": "Cream", "material": "Enamel", "sku": "TF-EM-35"]
        ),
        StoreProduct(
            "down-sleeping-bag",
            "Larkhaven Down Sleeping Bag",
            "Warm to minus eight degrees and as small as a loaf of bread when packed.",
            prices: ["EUR": "289.00", "USD": "309.00", "CLF": "7.4500"],
            pictures: 2,
            isAvailable: false,
            updated: "2025-06-30",
            ["brand": "Larkhaven", "material": "Duck down", "sku": "LH-SB-8"]
        ),
        StoreProduct(
            "head-torch",
            "Glimt Head Torch",
            "Forty hours of light from one charge. The red lamp leaves your friends asleep.",
            prices: ["EUR": "39.00", "GBP": "34.50", "JPY": "6480"],
            updated: "2025-09-28",
            ["brand": "Glimt", "battery": "1200 mAh", "sku": "GL-HT-2"]
        ),
        StoreProduct(
            "rain-jacket",
            "Fellstride Rain Jacket",
            "Three layers, taped seams, a hood that turns with your head. Free of fluorocarbons.",
            prices: ["EUR": "219.00", "USD": "239.00", "GBP": "195.00"],
            pictures: 3,
            updated: "2025-10-19",
            ["brand": "Fellstride", "color": "Moss", "material": "Nylon", "sku": "FS-RJ-03"]
        ),
        StoreProduct(
            "trail-map-app",
            "Trail Maps for One Region",
            "Offline maps of marked paths around your home, surveyed on foot. The first is free.",
            prices: ["EUR": "0", "USD": "0", "GBP": "0"],
            updated: "2025-11-03",
            ["brand": "Pathfinch", "format": "Download", "sku": "PF-MAP-0"]
        ),
    ]
}
