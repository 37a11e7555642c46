import Benchmarking
import Foundation
import Loads
import ProductKit

extension Benchmark {
    /// Decoding of products and prices.
    static let decoding = [
        decode(
            "decode/one",
            "a product of 1.1 kB",
            Data(Sample.json.utf8),
            Product.self,
            SynthesizedProduct.self
        ),
        decode(
            "decode/100",
            "a page of 100 products",
            page(100),
            Page<Product>.self,
            SynthesizedPage.self
        ),
        decode(
            "decode/10k",
            "an array of 10,000 products",
            array(10_000),
            [Product].self,
            [SynthesizedProduct].self
        ),
        decode(
            "decode/small",
            "a product of three members, one a date",
            Data(#"{"id": "boots", "name": "Boots", "updatedAt": "2026-08-01T10:00:00Z"}"#.utf8),
            Product.self,
            SynthesizedProduct.self
        ),
        Benchmark(
            "money/minor-units",
            "a price from cents and a number of fraction digits / from a Decimal",
            .allocations(exactly: 0)
        ) { referee in
            let amount = opaque(Decimal(129))
            return try await referee.compare { count in
                for cents in 0..<count {
                    keep(Price(minorUnits: Int64(cents), currency: "EUR", fractionDigits: 2))
                }
            } with: { count in
                for _ in 0..<count { keep(Price(amount: amount, currency: "EUR")) }
            }
        },
        Benchmark(
            "money/iso-4217",
            "a price from cents with the fraction digits of ISO 4217 / a Decimal divided by 100",
            .ratio(0.05),
            .allocations(exactly: 0)
        ) { referee in
            try await referee.compare { count in
                for cents in 0..<count { keep(Price(minorUnits: Int64(cents), currency: "EUR")) }
            } with: { count in
                for cents in 0..<count { keep(Decimal(cents) / 100) }
            }
        },
        Benchmark(
            "money/text",
            "a price from “129.95” / Decimal(string:)",
            .ratio(0.40)
        ) { referee in
            try await referee.compare { count in
                for _ in 0..<count { keep(try Price("129.95", currency: "EUR")) }
            } with: { count in
                for _ in 0..<count { keep(Decimal(string: "129.95")) }
            }
        },
    ]

    private static func decode<Value: Decodable, Peer: Decodable>(
        _ name: String,
        _ subject: String,
        _ json: @autoclosure @escaping @Sendable () -> Data,
        _ value: Value.Type,
        _ peer: Peer.Type
    ) -> Benchmark {
        Benchmark(
            name,
            "\(subject) / a type with synthesized Decodable and the same properties",
            .ratio(0.90, goal: 0.70)
        ) { referee in
            let json = json()
            return try await referee.compare { count in
                for _ in 0..<count { keep(try JSONDecoder().decode(Value.self, from: json)) }
            } with: { count in
                for _ in 0..<count {
                    let decoder = JSONDecoder()
                    decoder.dateDecodingStrategy = .iso8601
                    keep(try decoder.decode(Peer.self, from: json))
                }
            }
        }
    }

    private static func array(_ count: Int) -> Data {
        Data("[\(Array(repeating: Sample.json, count: count).joined(separator: ","))]".utf8)
    }

    private static func page(_ count: Int) -> Data {
        Data(#"{"items": "#.utf8) + array(count) + Data(#", "total": 100}"#.utf8)
    }
}

/// A product with synthesized `Decodable`, and with the same types of identifiers and prices.
struct SynthesizedProduct: Decodable {
    let id: Product.ID
    let name: String
    let description: String?
    let prices: [Price]?
    let images: [URL]?
    let url: URL?
    let isAvailable: Bool?
    let isFavorite: Bool?
    let updatedAt: Date?
    let attributes: [String: String]?
}

private struct SynthesizedPage: Decodable {
    let items: [SynthesizedProduct]
    let next: String?
    let total: Int?
}
