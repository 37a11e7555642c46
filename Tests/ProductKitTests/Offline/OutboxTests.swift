import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct OutboxTests {
    @Test func `a saved edit is sent, and leaves the outbox`() async throws {
        let sent = Lines()
        let outbox = Outbox(directory: nil)
        outbox.start(for: "anna") { change in
            sent.add("\(change.edit)")
            return Outbox.Confirmation()
        }

        try await outbox.perform(.setFavorite("boots", to: true))

        #expect(sent.all == ["setFavorite(boots, to: true)"])
        #expect(outbox.changes.isEmpty)
    }

    @Test func `an edit made offline waits and survives a restart`() async throws {
        let storage = OutboxStorage.inMemory()
        let offline = Outbox(storage: { _ in storage })
        offline.start(for: "anna") { _ in throw NetworkError(.unreachable) }
        await #expect(throws: SavedForLater.self) {
            try await offline.perform(.setFavorite("boots", to: true))
        }
        let sent = Lines()
        let online = Outbox(storage: { _ in storage })
        online.start(for: "anna") { change in
            sent.add(change.id.rawValue)
            return Outbox.Confirmation()
        }

        let waiting = try await online.sendAll()

        #expect(waiting == 0)
        #expect(sent.all == offline.changes.map(\.id.rawValue))
    }

    @Test func `saving in many tasks at once sends the last edit of each product`() async throws {
        let sent = Lines()
        let outbox = Outbox(directory: nil)
        outbox.start(for: "anna") { change in
            sent.add("\(change.edit)")
            return Outbox.Confirmation()
        }

        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    _ = try? await outbox.save(.setFavorite("\(number % 10)", to: number % 20 < 10))
                }
            }
        }
        let waiting = try await outbox.sendAll()

        #expect(waiting == 0)
        #expect(outbox.changes.isEmpty)
        #expect(sent.all.count >= 10)
    }
}
