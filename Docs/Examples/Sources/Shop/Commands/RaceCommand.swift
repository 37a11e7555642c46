import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// Toggles a favorite faster than the store responds, while requests fail and responses are lost.
struct RaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race",
        abstract:
            "Toggle a favorite faster than a failing store responds, and compare the results.",
        discussion: """
            Each round toggles the favorite status several times and reloads in between. The store \
            takes up to 4 ms per request, rejects some requests, and loses the responses to others \
            after it has made the change. When all requests of a round have ended, the screen must \
            show the favorite status that the store has. If you press Control-C, the current round \
            is the last, and the results until then are printed.

            With --offline, changes are saved before they are sent. Each round toggles the favorite \
            status of three products while the connection is interrupted, loses responses and is \
            repaired, and while the app restarts over the same directory. Each tap must succeed. When \
            the connection is intact again and everything was sent, the screens, the disk and the \
            store must agree.
            """
    )

    @Option(help: ArgumentHelp("The number of rounds.", valueName: "number"))
    var rounds = 500

    @Flag(help: "Save changes, and play outages and restarts.")
    var offline = false

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() async throws {
        do {
            try await cancelledByControlC {
                try await offline ? raceOffline() : race()
            }
        } catch is CancellationError {
            // The store had not started yet.
            throw ExitCode.interrupted
        }
    }

    @MainActor private func race() async throws {
        let faults = FaultInjector(rate: 0.3, maximumDelay: .milliseconds(4))
        try await withEmbeddedStore(intercept: faults.intercept) { store, baseURL in
            // Without retries, every failure reaches the screen.
            let backend = ProductBackend(baseURL: baseURL, retry: RetryBehavior(attempts: 1))
            let service = ProductService(
                backend: backend,
                localUser: LocalUser(currency: "EUR"),
                user: .demo
            )
            let boots = Product(id: "walking-boots", name: "Boots")
            let screen = service.viewModel(for: boots)
            var (finishedRounds, toggles) = (0, 0)
            let bar = ProgressBar(total: rounds)
            defer { bar.end() }
            while finishedRounds < rounds {
                let count = await race(screen)
                // The store may have made a change whose response was lost. Only a reload can show it.
                if faults.takeHasLostWriteResponse() { try await reload(screen) }
                // A cancelled task sends no request, so the screen may miss such a change.
                guard !Task.isCancelled else { break }
                finishedRounds += 1
                toggles += count
                guard screen.isFavorite == store.isFavorite("walking-boots") else {
                    throw StateMismatchError(
                        property: "the favorite status in round \(finishedRounds)"
                    )
                }
                bar.show(finishedRounds, "\(finishedRounds.text) rounds")
            }
            bar.end()
            guard finishedRounds == rounds else {
                Terminal.print(
                    "Stopped after \(finishedRounds.text) rounds with "
                        + "\(toggles.text) toggles. The screen and the store agreed."
                )
                throw ExitCode.interrupted
            }
            Terminal.print(
                """
                ✓ \(rounds.text) rounds with \(toggles.text) toggles \
                and \(store.requestCount.text) requests.
                  \(faults.rejectedRequestCount.text) requests were rejected, and \
                \(faults.lostResponseCount.text) responses were lost.
                  After every round, the screen and the store agreed.
                """
            )
        }
    }

    /// Toggles and reloads at random times and waits until all requests have ended.
    ///
    /// - Returns: The number of toggles.
    @MainActor private func race(_ screen: ProductViewModel) async -> Int {
        let count = Int.random(in: 1...7)
        var work: [Task<Void, any Error>] = []
        for _ in 1...count {
            work.append(Task { try await screen.toggleProductFavoriteStatus() })
            if Bool.random() { work.append(Task { try await screen.reload() }) }
            if Bool.random() { try? await Task.sleep(for: .microseconds(.random(in: 0...3_000))) }
        }
        for task in work { _ = await task.result }
        return count
    }

    /// Reloads until a reload succeeds or the task is cancelled, at most 100 times.
    @MainActor private func reload(_ screen: ProductViewModel) async throws {
        for _ in 1...100 {
            try? await screen.reload()
            guard screen.phase == .failed, !Task.isCancelled else { return }
        }
        throw StateMismatchError(property: "the favorite status: 100 reloads failed")
    }

    @MainActor private func raceOffline() async throws {
        let files = FileManager.default
        let directory = files.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? files.removeItem(at: directory) }
        let connection = StoreConnection()
        try await withEmbeddedStore(intercept: connection.intercept) { store, baseURL in
            let race = OfflineRace(store, at: baseURL, over: connection, in: directory)
            let bar = ProgressBar(total: rounds)
            defer { bar.end() }
            var finishedRounds = 0
            while finishedRounds < rounds, !Task.isCancelled {
                // A round that has begun ends regularly, also after Control-C.
                let number = finishedRounds + 1
                try await Task { try await race.run(round: number) }.value
                finishedRounds = number
                bar.show(finishedRounds, "\(finishedRounds.text) rounds")
            }
            bar.end()
            Terminal.print(
                """
                \(finishedRounds == rounds ? "✓" : "Stopped after") \
                \(finishedRounds.text) rounds with \(race.tapCount.text) taps, \
                \(race.outageCount.text) outages and \
                \(race.restartCount.text) restarts.
                  \(connection.droppedRequestCount.text) requests did not arrive, and \
                \(connection.lostResponseCount.text) responses were lost. The store recognized \
                \(store.repeatedWriteCount.text) repeated requests.
                  After every round, the screen, disk and store agree.
                """
            )
            guard finishedRounds == rounds else { throw ExitCode.interrupted }
        }
    }
}
