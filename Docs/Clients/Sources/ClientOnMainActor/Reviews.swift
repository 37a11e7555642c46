import Foundation
import Observation
import ProductKit

nonisolated struct Review: Codable, Hashable, Sendable {
    let id: String
    let stars: Int
}

extension NetworkRequest where Output == [Review] {
    nonisolated static func reviews(of id: Product.ID) -> NetworkRequest {
        .get("products", id, "reviews")
    }
}

nonisolated struct AppVersionBehavior {
    let version: String
}

nonisolated extension AppVersionBehavior: RequestBehavior {
    var additionalHeaders: NetworkHeaders { ["X-App-Version": version] }
}

@Observable final class ReviewsScreen {
    private(set) var reviews: [Review] = []
    private let client: NetworkClient

    init(client: NetworkClient) {
        self.client = client
    }

    func reload() async throws {
        reviews = try await client.send(.reviews(of: "walking-boots"))
    }
}
