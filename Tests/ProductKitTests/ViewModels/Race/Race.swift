import ProductKit

/// A model checker for the product screen and the screen of a product's lists.
///
/// One run performs edits, reloads, responses, failures and cancellations in one order. The order
/// is chosen step by step: `EveryChoice` enumerates all orders, `SeededChoice` draws random ones.
/// The screens are real view models. The server is a model with one product.
///
/// A request of a screen has three steps, which interleave with those of other requests: the screen
/// sends it, the server applies or rejects it, and the response arrives.
///
/// These invariants are checked after every step:
///
/// - Every screen shows the value of the last pending edit. If no edit is pending, it shows the
///   last value that the server confirmed.
/// - No caller is stuck: all of them have ended, except those that wait for a response and those
///   that wait for an edit in flight.
///
/// These are checked at the end, when nothing is in flight:
///
/// - Every screen shows the value on the server, or that the product is deleted.
/// - No edit is lost: the server has the value of the last edit that succeeded.
/// - Every edit has ended, and no request is left.
///
/// If a response was lost, no screen can know the value on the server. The run then ends with a
/// reload.
@MainActor final class Race {
    /// The number of steps of each kind, and the events that can occur.
    struct Configuration {
        /// Whether edits change the membership in a list instead of the favorite status.
        var editsMembership = false
        /// Whether there is a cache between the screens and the server.
        var hasCache = false
        /// The number of screens that are opened with the stored product during the run.
        var openings = 0
        /// The number of screens at the beginning.
        var screens = 1
        var edits = 2
        var reloads = 1
        /// Whether the server can reject requests.
        var rejectsRequests = true
        var cancellations = 0
        /// Whether responses to edits can be lost.
        var losesResponses = false
        /// The number of times that the product is deleted from the server, or restored.
        var deletions = 0
    }

    /// The invariants that a run has violated.
    struct Violations {
        /// The number of steps after which a screen showed a wrong value.
        var flickers = 0
        var hasWrongEnd = false
        var hasLostEdit = false
        var isStuck = false

        var isEmpty: Bool { flickers == 0 && !hasWrongEnd && !hasLostEdit && !isStuck }
    }

    /// A step of a run, with the number of a request, or of an edit to cancel.
    enum Step {
        case edit, reload, open, apply(Int), reject(Int), loseResponse(Int), respond(Int)
        case cancel(Int), delete
    }

    /// A request in flight.
    private struct Call {
        let number: Int
        /// The edit that sent the request; `nil` for a reload.
        let edit: Int?
        /// The value to set; `nil` for a reload.
        let value: Bool?
        /// The number of steps before the request started.
        let startedAt: Int
        let continuation: CheckedContinuation<Product, any Error>
        /// The result of the request, as soon as the server has one.
        var result: Result<Product, any Error>?
    }

    private struct Edit {
        let value: Bool
        var task: Task<Void, any Error>?
        /// Whether the edit has succeeded; `nil` until it has ended.
        var hasSucceeded: Bool?
    }

    /// The edit that the current task performs.
    @TaskLocal private static var currentEdit: Int?

    let store = ProductStore()
    /// The service that loads the product through a cache.
    private(set) lazy var loader = makeLoader()
    /// The number of responses with status code 304.
    var confirmations = 0
    /// The number of screens that were opened with the stored product.
    private(set) var opened = 0
    /// The configuration, with the numbers of the steps that are left.
    private(set) var configuration: Configuration
    private(set) var steps: [Step] = []

    private var violations = Violations()
    private var screens: [Screen] = []
    @Observed private var calls: [Call] = []
    @Observed private var edits: [Edit] = []
    private var lastCall = 0
    /// The edit whose response has arrived last.
    private var lastResponded: Int?
    @Observed private var reloadsInFlight = 0

    /// The product on the server; `nil` if it is deleted.
    private var server: Product? = .boots
    /// The last value that the server confirmed, and when the request for it started.
    private var (confirmed, confirmedAt) = (false, 0)
    /// Whether the last response was “not found”, and when the request for it started.
    private var (isNotFound, contentAt) = (false, 0)
    /// Whether the screens cannot know the value on the server.
    private var isServerValueUnknown = false
    /// Whether a request was cancelled, so that no screen knows whether the server has applied it.
    private var hasUnknownOutcome = false

    init(_ configuration: Configuration) {
        self.configuration = configuration
        for _ in 0..<configuration.screens {
            screens.append(configuration.editsMembership ? membershipScreen() : productScreen())
        }
    }

    /// Performs steps until none is left, and checks the invariants.
    func run(_ choices: inout some Choosing) async -> Violations {
        if configuration.hasCache { await fillCache() }
        while true {
            let possible = possibleSteps()
            guard !possible.isEmpty, !violations.isStuck else { break }
            await perform(possible[choices.choose(of: possible.count)])
            checkStep()
        }
        await checkEnd()
        return violations
    }

    /// Suspends a request with the value to set, or a reload, until its response arrives.
    func suspend(_ value: Bool?) async throws -> Product {
        lastCall += 1
        let number = lastCall
        return try await withCheckedThrowingContinuation { continuation in
            calls.append(
                Call(
                    number: number,
                    edit: Race.currentEdit,
                    value: value,
                    startedAt: steps.count,
                    continuation: continuation
                )
            )
        }
    }
}

// The steps.
extension Race {
    private func possibleSteps() -> [Step] {
        var possible: [Step] = []
        if configuration.edits > 0 { possible.append(.edit) }
        if configuration.reloads > 0 { possible.append(.reload) }
        if configuration.openings > 0 { possible.append(.open) }
        if configuration.deletions > 0 { possible.append(.delete) }
        for call in calls {
            guard call.result == nil else {
                possible.append(.respond(call.number))
                continue
            }
            possible.append(.apply(call.number))
            if configuration.rejectsRequests { possible.append(.reject(call.number)) }
            if configuration.losesResponses, call.value != nil {
                possible.append(.loseResponse(call.number))
            }
        }
        if configuration.cancellations > 0 {
            possible += edits.indices.filter { edits[$0].hasSucceeded == nil }.map(Step.cancel)
        }
        return possible
    }

    /// Performs a step, and waits until its effects have ended.
    private func perform(_ step: Step) async {
        steps.append(step)
        switch step {
        case .edit: await edit()
        case .reload:
            configuration.reloads -= 1
            reloadsInFlight += 1
            _ = await started { [self] in
                try? await screens[0].reload()
                reloadsInFlight -= 1
            }
        case .open: await openStored()
        case .apply(let number): apply(number)
        case .reject(let number):
            update(number) { $0.result = .failure(NetworkError(.rejected)) }
        case .loseResponse(let number):
            apply(number)
            isServerValueUnknown = true
            update(number) { $0.result = .failure(NetworkError(.connectionLost)) }
        case .respond(let number): respond(to: number)
        case .cancel(let index):
            configuration.cancellations -= 1
            cancelCall(of: index)
            edits[index].task?.cancel()
        case .delete:
            configuration.deletions -= 1
            server = server == nil ? .boots : nil
            isServerValueUnknown = true
        }
        await waitUntilIdle(after: step)
    }

    /// Starts an edit on the next screen.
    private func edit() async {
        configuration.edits -= 1
        let screen = screens[edits.count % screens.count]
        let index = edits.count
        edits.append(Edit(value: !screen.value()))
        edits[index].task = await Race.$currentEdit.withValue(index) {
            await started { [self] in
                do {
                    try await screen.toggle()
                    edits[index].hasSucceeded = true
                } catch {
                    edits[index].hasSucceeded = false
                }
            }
        }
    }

    /// Applies a request to the product on the server.
    private func apply(_ number: Int) {
        update(number) { call in
            if let value = call.value { server?.isFavorite = value }
            call.result =
                server.map { .success($0) }
                ?? .failure(ProductError.notFound(Product.boots.id))
        }
    }

    private func respond(to number: Int) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        let call = calls.remove(at: index)
        lastResponded = call.edit
        guard let result = call.result else { return }
        updateModel(with: result, of: call)
        call.continuation.resume(with: result)
    }

    /// Ends the request of a cancelled edit immediately, as a transport does.
    ///
    /// The server may have applied it.
    private func cancelCall(of edit: Int) {
        guard let index = calls.firstIndex(where: { $0.edit == edit }) else { return }
        let call = calls.remove(at: index)
        hasUnknownOutcome = true
        if case .success = call.result { isServerValueUnknown = true }
        call.continuation.resume(throwing: CancellationError())
    }

    private func update(_ number: Int, _ change: (inout Call) -> Void) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        change(&calls[index])
    }

    /// Stores the product in the cache.
    private func fillCache() async {
        let load = await started { [loader] in
            try await loader.loadProduct(withID: Product.boots.id)
        }
        guard await eventually({ !calls.isEmpty }) else { return violations.isStuck = true }
        calls.removeFirst().continuation.resume(returning: .boots)
        _ = await load.result
    }

    /// Opens another screen with the stored product, as a link into the app does.
    private func openStored() async {
        configuration.openings -= 1
        let stored = try? await loader.fetchProduct(withID: Product.boots.id, policy: .cacheOnly)
        guard let stored else { return }
        opened += 1
        screens.append(productScreen(showing: stored.value, from: stored.source))
    }
}

// The model and the invariants.
extension Race {
    /// Updates the value that the screens have to show without pending edits.
    private func updateModel(with result: Result<Product, any Error>, of call: Call) {
        switch result {
        // A confirmed edit outlasts its product, but an earlier reload does not bring it back.
        case .success where call.value == nil && isNotFound && call.startedAt < contentAt: return
        case .success(let product):
            if call.value != nil || call.startedAt > confirmedAt {
                confirmed = product.isFavorite
                confirmedAt = call.value == nil ? call.startedAt : steps.count
            }
            if call.startedAt > contentAt { (contentAt, isNotFound) = (call.startedAt, false) }
        case .failure(let error):
            guard error is ProductError, call.startedAt > contentAt else { return }
            (contentAt, isNotFound) = (call.startedAt, true)
        }
    }

    /// Lets tasks run until all callers have ended or wait for a response.
    ///
    /// Only a run that violates an invariant reaches the time limit of its test.
    private func waitUntilIdle(after step: Step) async {
        if await !eventually({ isIdle(after: step) }) { violations.isStuck = true }
    }

    private func isIdle(after step: Step) -> Bool {
        switch step {
        case .respond where lastResponded.map { edits[$0].hasSucceeded == nil } == true:
            return false
        case .cancel(let index) where edits[index].hasSucceeded == nil: return false
        default: break
        }
        let reloadCalls = calls.count { $0.value == nil }
        let editCalls = calls.count - reloadCalls
        return reloadsInFlight == reloadCalls
            && (editCalls > 0 || edits.allSatisfy { $0.hasSucceeded != nil })
    }

    private func checkStep() {
        let pending = edits.last { $0.hasSucceeded == nil }?.value
        if screens.contains(where: { $0.value() != pending ?? confirmed }) {
            violations.flickers += 1
        }
    }

    private func checkEnd() async {
        if isServerValueUnknown {
            configuration.reloads = 1
            await perform(.reload)
            await perform(.apply(lastCall))
            await perform(.respond(lastCall))
        } else {
            let success = edits.lastIndex { $0.hasSucceeded == true }
            let expected = success.map { edits[$0].value } ?? false
            // After a cancelled request, an edit is sent even if it seems to change nothing, and
            // the server may reject it. An earlier edit that was not sent because of it has
            // succeeded.
            let later = edits.suffix(from: success.map { $0 + 1 } ?? 0)
            let isSuperseded =
                hasUnknownOutcome && later.contains { $0.value == server?.isFavorite }
            violations.hasLostEdit = server?.isFavorite != expected && !isSuperseded
        }
        violations.hasWrongEnd = screens.contains { screen in
            guard let server else { return !screen.isDeleted() }
            return screen.value() != server.isFavorite
        }
        if edits.contains(where: { $0.hasSucceeded == nil }) || !calls.isEmpty {
            violations.hasWrongEnd = true
        }
    }
}
