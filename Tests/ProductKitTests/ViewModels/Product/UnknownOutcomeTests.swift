import Foundation
import ProductKit
import Testing

/// Edits behind one whose first attempt was carried out and lost, which its retries hide.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct UnknownOutcomeTests {
    /// The result of each retry.
    enum Retry: CaseIterable, Sendable { case unreachable, refused, notFound, ownError, notSent }

    /// Opened when the server carries out the first attempt, whose response is then lost.
    private let gate = ActionGate<Void>()
    /// The requests that were sent.
    private let lines = Lines()
    /// The methods of the writes that the server has carried out.
    private let writes = Lines()

    // Rule: screen/opposite-edit-after-failure (31); screen/status-is-always-consistent (38)
    @Test(arguments: Retry.allCases, [true, false])
    func `a pending opposite edit is sent although the retries of the failed one never arrived`(
        retry: Retry,
        editsMembership: Bool
    ) async throws {
        let service = service(retry)
        let screen = service.viewModel(for: .boots)
        let sheet = ListMembershipViewModel(
            .init(productID: "walking-boots", listManager: service.listManager)
        )
        let edit: @MainActor () async throws -> Void = {
            if editsMembership {
                try await sheet.toggle("summer")
            } else {
                try await screen.toggleProductFavoriteStatus()
            }
        }
        let first = await started(edit)
        await gate.waitForCalls(1)
        let second = await started(edit)
        // The product exists according to a later request than that of the first edit.
        if !editsMembership { try await screen.reload() }

        gate.open()
        await #expect(throws: (any Error).self) { try await first.value }
        try await second.value

        #expect(!screen.isFavorite && sheet.holding.isEmpty && writes.all == ["PUT", "DELETE"])
    }

    // Rule: screen/opposite-edit-after-failure (31)
    @Test func `a pending opposite toggle is not sent if no attempt of the failed one arrived`()
        async throws
    {
        let (gate, lines) = (gate, lines)
        let service = service { request in
            lines.add(request.line)
            try await gate.hold()
            throw NetworkError(.unreachable)
        }
        let screen = service.viewModel(for: .boots)
        let first = await started { try await screen.toggleProductFavoriteStatus() }
        await gate.waitForCalls(1)
        let second = await started { try await screen.toggleProductFavoriteStatus() }

        gate.open()
        await #expect(throws: NetworkError.self) { try await first.value }
        try await second.value

        let line = "PUT https://api.example.com/v1/favorites/walking-boots"
        #expect(lines.all == [line, line, line] && !screen.isFavorite)
    }

    // Rule: screen/opposite-edit-after-failure (31)
    @Test(arguments: [true, false])
    func `an unknown outcome ends with the next response`(isReload: Bool) async throws {
        let held = ActionGate<Product>()
        var calls = 0
        let screen = ProductViewModel(
            .only(
                reload: { .boots },
                toggleFavorite: { _ in
                    calls += 1
                    switch calls {
                    case 1: throw NetworkError(.connectionLost)
                    case 2 where !isReload: return .favoriteBoots
                    default: return try await held.hold()
                    }
                }
            )
        )
        await #expect(throws: NetworkError.self) { try await screen.toggleProductFavoriteStatus() }
        if isReload {
            try await screen.reload()
        } else {
            try await screen.toggleProductFavoriteStatus()
        }
        let first = await started { try await screen.toggleProductFavoriteStatus() }
        let opposite = await started { try await screen.toggleProductFavoriteStatus() }

        try held.release(throwing: NetworkError(.unreachable))

        await #expect(throws: NetworkError.self) { try await first.value }
        try await opposite.promptValue
        #expect(calls == (isReload ? 2 : 3) && screen.isFavorite == !isReload)
    }

    // Rule: screen/opposite-edit-after-failure (31)
    @Test func `a response that was requested before an unknown outcome does not end it`()
        async throws
    {
        let reloads = ActionGate<Product>()
        let held = ActionGate<Product>()
        var calls = 0
        let screen = ProductViewModel(
            .only(
                reload: { try await reloads.hold() },
                toggleFavorite: { _ in
                    calls += 1
                    switch calls {
                    case 1: throw NetworkError(.connectionLost)
                    case 2: return try await held.hold()
                    default: return .boots
                    }
                }
            )
        )
        let reload = await started { try await screen.reload() }
        await #expect(throws: NetworkError.self) { try await screen.toggleProductFavoriteStatus() }
        try reloads.release(returning: .boots)
        try await reload.value
        let first = await started { try await screen.toggleProductFavoriteStatus() }
        let opposite = await started { try await screen.toggleProductFavoriteStatus() }

        try held.release(throwing: NetworkError(.unreachable))

        await #expect(throws: NetworkError.self) { try await first.value }
        try await opposite.value
        #expect(calls == 3 && !screen.isFavorite)
    }

    /// A service whose first write is carried out and lost, and whose later ones have a result.
    private func service(_ retry: Retry) -> ProductService {
        let (gate, lines, writes) = (gate, lines, writes)
        return service { request in
            lines.add(request.line)
            switch request.httpMethod {
            case "PUT" where lines.all.count(where: { $0.hasPrefix("PUT") }) == 1:
                try await gate.hold()
                writes.add("PUT")
                throw NetworkError(.connectionLost)
            case "PUT":
                switch retry {
                case .unreachable: throw NetworkError(.unreachable)
                case .refused: return NetworkResponse(statusCode: 403)
                case .notFound: return NetworkResponse(statusCode: 404)
                case .ownError: return NetworkResponse(statusCode: 422)
                case .notSent: throw UnsupportedOperation("token")
                }
            case "DELETE":
                writes.add("DELETE")
                return NetworkResponse(statusCode: 204)
            default:
                return try NetworkResponse(
                    json: Product.boots.with { $0.isFavorite = writes.all.last == "PUT" }
                )
            }
        }
    }

    private func service(
        respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ProductService {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure(respond),
            behaviors: [RetryBehavior(effects: ManualClock(skipsDelays: true).effects())],
            failure: { response in
                guard response.statusCode == 422 else { return NetworkError(response) }
                return UnsupportedOperation("favorites")
            }
        )
        return .contract(client: client)
    }
}
