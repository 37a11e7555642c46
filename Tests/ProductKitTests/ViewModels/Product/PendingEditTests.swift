import Foundation
import ProductKit
import Testing

/// Toggles that start while another one is in flight.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct PendingEditTests {
    // Rule: screen/one-toggle-in-flight (29)
    @Test func `at most one toggle is in flight, and toggles are sent in order`() async throws {
        let held = ActionGate<Void>()
        var sent: [Bool] = []
        var third: Task<Void, any Error>?
        weak var screen: ProductViewModel?
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { isFavorite in
                sent.append(isFavorite)
                if sent.count == 1 { try await held.hold() }
                if sent.count == 2 {
                    third = await started { try await screen?.toggleProductFavoriteStatus() }
                    #expect(sent == [true, false])
                }
                return .boots.with { $0.isFavorite = isFavorite }
            })
        )
        screen = viewModel
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(sent == [true])

        try held.release()
        for toggle in [first, second] { try await toggle.value }
        try await third?.value

        #expect(sent == [true, false, true])
        #expect(viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule: screen/quick-taps-send-the-last (30)
    @Test(arguments: 1...6)
    func `several toggles show the last status and make at most two calls`(count: Int) async throws
    {
        let held = ActionGate<Void>()
        var server = Product.boots
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { isFavorite in
                calls += 1
                if calls == 1 { try await held.hold() }
                server.isFavorite = isFavorite
                return server
            })
        )
        var toggles: [Task<Void, any Error>] = []
        for number in 1...count {
            toggles.append(await started { try await viewModel.toggleProductFavoriteStatus() })
            #expect(viewModel.isFavorite == (number % 2 == 1))
        }

        try held.release()
        for toggle in toggles {
            try await toggle.value
            #expect(viewModel.isFavorite == (count % 2 == 1))
        }

        #expect(calls == (count % 2 == 1 ? 1 : 2))
        #expect(server.isFavorite == viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule: screen/opposite-edit-after-failure (31); screen/status-is-always-consistent (38)
    // Unless the failure proves that the failed toggle had no effect, the opposite one is sent.
    @Test(
        arguments: [
            (NetworkError(.timedOut), 2), (NetworkError(.connectionLost), 2),
            (NetworkError(.incomplete), 2), (NetworkError(.tooLarge), 2),
            (NetworkError(.unreadable), 2), (NetworkError(NetworkResponse(statusCode: 502)), 2),
            (NetworkError(.rejected, response: NetworkResponse(statusCode: 200)), 2),
            (NetworkError(.rejected, underlying: URLError(.networkConnectionLost)), 2),
            (URLError(.timedOut), 2), (CocoaError(.featureUnsupported), 2), (Offline(), 2),
            (DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")), 2),
            (NetworkError(.unreachable), 1), (NetworkError(NetworkResponse(statusCode: 403)), 1),
            (URLError(.cannotConnectToHost), 1), (UnsupportedOperation("favorites"), 1),
        ] as [(any Error, Int)]
    )
    func `a pending opposite toggle is sent if the failed one may have reached the server`(
        error: any Error,
        calls: Int
    ) async throws {
        let held = ActionGate<Void>()
        var sent: [Bool] = []
        var server = Product.boots
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { isFavorite in
                sent.append(isFavorite)
                if calls == 2 { server.isFavorite = isFavorite }
                if sent.count == 1 { try await held.hold() }
                return server
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.release(throwing: error)
        await #expect(throws: (any Error).self) { try await first.value }
        try await second.value

        #expect(sent.count == calls)
        #expect(!viewModel.isFavorite && !server.isFavorite)
    }

    // Rule: screen/same-edit-retries-after-failure (32)
    @Test func `a pending toggle to the same status is sent after a failure`() async throws {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        let toggles = await started(times: 3) { try await viewModel.toggleProductFavoriteStatus() }

        try server.held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await toggles[0].value }
        #expect(viewModel.isFavorite)
        for toggle in toggles.dropFirst() { try await toggle.value }

        #expect(server.statuses == [true, true])
        #expect(viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule: screen/same-edit-retries-after-failure (32)
    @Test func `the success of a repeated toggle clears the error`() async throws {
        let product = HeldProduct()
        let viewModel = product.screen
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        try product.toggles.release(throwing: Offline())
        await #expect(throws: Offline()) { try await first.value }

        let again = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.lastError?.kind == .toggleFavorite)
        try product.toggles.release(returning: .favoriteBoots)
        try await again.value

        #expect(viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule: screen/one-call-per-tap (33); screen/server-status-is-final (26)
    @Test(arguments: [true, false], 1...3)
    func `each toggle makes at most one call, whatever the server returns`(
        serverStatus: Bool,
        count: Int
    ) async throws {
        let held = ActionGate<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                calls += 1
                if calls == 1 { try await held.hold() }
                return .boots.with { $0.isFavorite = serverStatus }
            })
        )
        let toggles = await started(times: count) {
            try await viewModel.toggleProductFavoriteStatus()
        }

        try held.release()
        for toggle in toggles { try await toggle.value }

        // The last toggle makes no call if the response to the first has its status already.
        let isLastNeeded = count > 1 && (count % 2 == 1) != serverStatus
        #expect(calls == (isLastNeeded ? 2 : 1))
        #expect(viewModel.isFavorite == serverStatus && viewModel.lastError == nil)
    }

    // Rule: screen/one-call-per-tap (33)
    @Test func `each of several failing toggles makes at most one call`() async throws {
        let held = ActionGate<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                calls += 1
                if calls == 1 { try await held.hold() }
                throw Offline()
            })
        )
        let toggles = await started(times: 5) { try await viewModel.toggleProductFavoriteStatus() }

        try held.release()
        for toggle in toggles { _ = await toggle.result }

        #expect(calls == 3)
        #expect(!viewModel.isFavorite && viewModel.lastError?.kind == .toggleFavorite)
    }

    // Rule: screen/one-toggle-in-flight (29); screen/quick-taps-send-the-last (30)
    @Test func `a later toggle of the first caller waits behind those of other callers`()
        async throws
    {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        let first = await started {
            try await viewModel.toggleProductFavoriteStatus()
            try await viewModel.toggleProductFavoriteStatus()
        }
        let others = await started(times: 2) { try await viewModel.toggleProductFavoriteStatus() }

        try server.held.release()
        for toggle in [first] + others { try await toggle.value }

        #expect(server.statuses == [true, false] && !viewModel.isFavorite)
    }
}
