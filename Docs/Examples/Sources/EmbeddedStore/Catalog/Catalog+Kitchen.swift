extension StoreProduct {
    static let kitchen = [
        StoreProduct(
            "chef-knife",
            "Holloway Chef’s Knife 20 cm",
            "Carbon steel that takes an edge on a doorstep. Dry it after use and it outlives you.",
            prices: ["EUR": "98.00", "USD": "105.00", "GBP": "86.00", "JPY": "16500"],
            pictures: 2,
            updated: "2025-05-11",
            ["brand": "Holloway", "material": "Carbon steel", "sku": "HW-CK-20"]
        ),
        StoreProduct(
            "käsereibe",
            "Almhof Käsereibe",
            slug: "kaesereibe",
            "Eine Reibe für harten Käse: feine Zähne, breiter Griff, passt in jede Schublade.",
            prices: ["EUR": "18.90"],
            updated: "2025-03-08",
            ["brand": "Almhof", "material": "Edelstahl", "sku": "AH-KR-1"]
        ),
        StoreProduct(
            "gid://shop/42",
            "Cast-Iron Pan 26 cm",
            slug: "cast-iron-pan",
            "Pre-seasoned with rapeseed oil. Heavy enough to notice, light enough to flip.",
            prices: ["EUR": "54.00", "USD": "58.00", "GBP": "47.50"],
            pictures: 2,
            updated: "2025-04-17",
            ["brand": "Holloway", "material": "Cast iron", "sku": "HW-CP-26"]
        ),
        StoreProduct(
            "pour-over-set",
            "Morgenrund Pour-Over Set",
            "A porcelain dripper, a glass jug and the patience to wait four minutes.",
            prices: ["EUR": "46.00", "USD": "49.00", "JPY": "7800"],
            pictures: 3,
            updated: "2025-10-27",
            ["brand": "Morgenrund", "material": "Porcelain", "sku": "MR-PO-1"]
        ),
        StoreProduct(
            "spice-tin",
            "Anokhi Road Spice Tin",
            "Seven pots in one tin, as in every kitchen between Jaipur and Kochi.",
            prices: ["INR": "2499.00", "GBP": "26.00", "EUR": "29.50"],
            updated: "2025-02-26",
            ["brand": "Anokhi Road", "material": "Stainless steel", "sku": "AR-ST-7"]
        ),
        StoreProduct(
            "bread-bin",
            "Oddland Bread Bin",
            "Keeps a loaf for four days. The lid is a board to cut it on.",
            prices: ["EUR": "72.00", "GBP": "63.00"],
            updated: "2025-01-30",
            ["brand": "Oddland", "material": "Beech", "sku": "OD-BB-1"]
        ),
        StoreProduct(
            "coffee-beans",
            "Morgenrund House Roast 1 kg",
            "Hazelnut, cocoa and a little orange. Roasted on Tuesdays, sent on Wednesdays.",
            prices: ["EUR": "27.90", "USD": "31.00", "GBP": "24.90", "KWD": "9.750"],
            updated: "2025-11-11",
            ["brand": "Morgenrund", "origin": "Huehuetenango", "sku": "MR-HR-1000"]
        ),
        StoreProduct(
            "crème-brûlée-set",
            "Petit Four Crème Brûlée Set",
            slug: "creme-brulee-set",
            "Four shallow dishes and a burner that is safe to hand to a guest.",
            prices: ["EUR": "38.50", "USD": "42.00"],
            pictures: 2,
            isAvailable: false,
            updated: "2025-04-02",
            ["brand": "Petit Four", "material": "Stoneware", "sku": "PF-CB-4"]
        ),
    ]
}
