import Foundation
import ProductKit
import Testing

/// Queries that are written in the code or built at run time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct QueryTests {
    private let text = "boots"

    @Test func `a literal keeps its order, and may repeat a name`() {
        let request = NetworkRequest<Product>.get("a", query: ["z": text, "b": nil, "z": "2"])

        #expect(items(of: request) == ["z=boots", "z=2"])
    }

    @Test(arguments: [1, nil])
    func `a literal of any expressions keeps its order, and may repeat a name`(limit: Int?) {
        let ids = ["2", "1"]
        let conditional = NetworkRequest<Product>.get(
            "a",
            query: [
                "z": text.isEmpty ? nil : text, "c": ids.isEmpty ? nil : ids.joined(separator: ","),
                "b": limit?.description, "z": limit.map { "\($0)" },
            ]
        ).map { product, _ in [product] }
        let inferred: NetworkRequest<Product> = .get(
            "a",
            query: ["z": text, "a": nil, "z": "\(7)"]
        )

        #expect(
            conditional.query.map(\.value) == ["boots", "2,1"] + (limit == nil ? [] : ["1", "1"])
        )
        #expect(items(of: inferred) == ["z=boots", "z=7"])
    }

    @Test func `a dictionary is sorted by name`() {
        let filters: [String: String?] = ["size": "42", "color": "red", "brand": nil]
        let plain: [String: String] = ["size": "42", "color": "red"]

        #expect(items(of: .get("a", query: filters)) == ["color=red", "size=42"])
        #expect(items(of: .get("a", query: plain)) == ["color=red", "size=42"])
    }

    @Test func `query items are taken as they are`() throws {
        let query = ["7", nil].map { URLQueryItem(name: "id", value: $0) }

        let request = NetworkRequest<Product>.get("a", query: query)

        #expect(request.query == query)
        #expect(
            try request.urlRequest(relativeTo: .api).line
                == "GET https://api.example.com/v1/a?id=7&id="
        )
    }

    private func items(of request: NetworkRequest<Product>) -> [String] {
        request.query.map { "\($0.name)=\($0.value ?? "nil")" }
    }
}
