import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// Taps faster than the store answers, loses answers, and compares screen and store at rest.
struct RaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race",
        abstract: "Tap faster than a failing store can answer, and compare at rest.",
        discussion: """
            Each round taps the star several times and reloads in between, while the store takes \
            up to 4 ms for each answer, refuses some requests and loses some answers after it has \
            done what they asked. When all is quiet, the star on the screen must be the store's.
            """
    )

    @Option(help: ArgumentHelp("How many rounds to run.", valueName: "number"))
    var rounds = 500

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("Run at least one round.") }
    }

    @MainActor func run() async throws {
        let trouble = Trouble(share: 0.3, longestDelay: .milliseconds(4))
        try await withEmbeddedStore(intercept: trouble.intercept) { store, baseURL in
            // Nothing repeats or shares requests here: every refusal and loss reaches the screen.
            let client = NetworkClient(
                baseURL: baseURL,
                behaviors: [TokenBehavior { EmbeddedStore.demoToken }]
            )
            let service = ProductService(client: client, localUser: LocalUser(currency: "EUR"))
            let boots = Product(id: "walking-boots", name: "Boots")
            let screen = service.viewModel(for: boots)
            var taps = 0
            let bar = ProgressBar(total: rounds)
            defer { bar.end() }
            for round in 1...rounds {
                taps += try await race(screen)
                // A write whose answer was lost may have been done; only the store can tell.
                if trouble.hasLostAnswers() { try await reload(screen) }
                guard screen.isFavorite == store.isFavorite("walking-boots") else {
                    throw Disagreement(fact: "the star in round \(round)")
                }
                bar.show(round, "\(round.formatted()) rounds")
            }
            bar.end()
            print(
                """
                ✓ \(rounds.formatted()) rounds, \(taps.formatted()) taps and \
                \(store.exchanges.count.formatted()) requests, \
                of which \(trouble.refusals.formatted()) were refused
                  and \(trouble.losses.formatted()) lost their answers: \
                screen and store agreed at rest in every one.
                """
            )
        }
    }

    /// Taps and reloads at random moments, waits for all of it, and tells how often it tapped.
    @MainActor private func race(_ screen: ProductViewModel) async throws -> Int {
        let count = Int.random(in: 1...7)
        var work: [Task<Void, any Error>] = []
        for _ in 1...count {
            work.append(Task { try await screen.toggleProductFavoriteStatus() })
            if Bool.random() { work.append(Task { try await screen.reload() }) }
            if Bool.random() { try await Task.sleep(for: .microseconds(.random(in: 0...3_000))) }
        }
        for task in work { _ = await task.result }
        return count
    }

    /// Reloads until an answer comes, as a person would.
    @MainActor private func reload(_ screen: ProductViewModel) async throws {
        for _ in 1...100 {
            try? await screen.reload()
            guard screen.phase == .failed else { return }
        }
        throw Disagreement(fact: "the star: a hundred reloads in a row failed")
    }
}
