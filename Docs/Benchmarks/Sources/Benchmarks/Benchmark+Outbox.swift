import Benchmarking
import Dispatch
import Foundation
import Loads
import ProductKit
import Synchronization

extension Benchmark {
    /// The cost of saving, opening and sending the changes of an outbox.
    static let outbox = [
        Benchmark(
            "outbox/save",
            "an edit until it is saved / an append and a sync by hand",
            .allocations(70),
            .writes(exactly: 1),
            .syncs(exactly: 1)
        ) { referee in
            try await withOutbox { outbox, file in
                let save: @Sendable () async throws -> Void = {
                    try await outbox.save(.next(of: 100))
                }
                let append: @Sendable () async throws -> Void = { try file.append() }
                let durations = try await referee.compareDurations(save, with: append)
                // So few that the file is not written anew in each round, which is another write and sync.
                let costs = try await referee.compare(operationsPerTurn: 100) { count in
                    try await Background.run { for _ in 0..<count { try await save() } }
                } with: { count in
                    try await Background.run { for _ in 0..<count { try await append() } }
                }
                // The CPU times depend on the disk.
                return durations + costs.filter { ![.time, .ratio].contains($0.quantity) }
            }
        },
        Benchmark(
            "outbox/save-in-memory",
            "an edit until it is saved in memory / encoding it as JSON and appending that on a queue",
            .ratio(3.5)
        ) { referee in
            let outbox = Outbox().start(for: user) { _ in
                try await Task.sleep(for: .seconds(100_000))
                return Outbox.Confirmation()
            }
            let comparison = try await referee.compare { count in
                try await Background.run {
                    for _ in 0..<count { try await outbox.save(.next(of: 100)) }
                }
            } with: { count in
                try await Background.run {
                    let queue = DispatchQueue(label: "append")
                    let bytes = Mutex<[UInt8]>([])
                    for _ in 0..<count {
                        let json = try JSONEncoder().encode(EditByHand.next(of: 100))
                        await withCheckedContinuation { continuation in
                            queue.async {
                                bytes.withLock { $0 += json }
                                continuation.resume()
                            }
                        }
                    }
                    keep(bytes.withLock(\.self))
                }
            }
            await outbox.stop()
            return comparison
        },
        Benchmark(
            "outbox/save-100",
            "the elapsed time for each of 100 edits saved at the same time / an append and a sync by hand"
        ) { referee in
            try await withOutbox { outbox, file in
                try await referee.compareDurations(countingAs: 100) {
                    try await outbox.saveNext(100, of: 100)
                } with: {
                    try file.append()
                }
            }
        },
        Benchmark(
            "outbox/open",
            "opening a file of 500 changes / reading its bytes",
            .allocations(14_000),
            .writes(exactly: 0)
        ) { referee in
            try await withSavedChanges { directory in
                let file = try journal(in: directory)
                return try await referee.compare(turns: 5, operationsPerTurn: 1) { count in
                    for _ in 0..<count { try await openOutbox(in: directory).stop() }
                } with: { count in
                    for _ in 0..<count { keep(try Data(contentsOf: file)) }
                }
            }
        },
        Benchmark(
            "outbox/send",
            "opening a file of 500 changes and sending them to a closure / opening the file",
            .ratio(12)
        ) { referee in
            try await withSavedChanges { directory in
                try await referee.compare(turns: 5, operationsPerTurn: 1) { count in
                    for _ in 0..<count {
                        let outbox = newOutbox(in: try copy(of: directory)).start(for: user) { _ in
                            Outbox.Confirmation()
                        }
                        guard try await outbox.sendAll() == 0 else { throw OutboxError(.full) }
                        await outbox.stop()
                    }
                } with: { count in
                    for _ in 0..<count {
                        try await openOutbox(in: try copy(of: directory)).stop()
                    }
                }
            }
        },
        Benchmark(
            "outbox/memory",
            "the memory of one of 400 changes that wait",
            .bytes(600)
        ) { referee in
            try await withOutbox { outbox, _ in
                try await outbox.saveNext(100)
                return try await referee.bytes(of: 400) {
                    for _ in 0..<4 { try await outbox.saveNext(100) }
                    return outbox
                }
            }
        },
        Benchmark(
            "outbox/disk",
            "the bytes on disk of one of 500 changes that wait",
            .bytes(160)
        ) { referee in
            try await withSavedChanges { directory in
                let byteCount = try Data(contentsOf: try journal(in: directory)).count
                return [Figure(.bytes, Double(byteCount) / 500)]
            }
        },
        Benchmark(
            "outbox/record",
            "a screen of a product that no other screen shows, beside an empty outbox / without an outbox",
            .allocations(exactly: 0)
        ) { referee in
            let outbox = Outbox().start(for: user) { _ in Outbox.Confirmation() }
            try await outbox.open()
            let store = ProductStore(outbox: outbox)
            let plain = ProductStore()
            let actions = ProductViewModel.Actions.only()
            return try await referee.compare { count in
                for _ in 0..<count { keep(screen(actions, store)) }
            } with: { count in
                for _ in 0..<count { keep(screen(actions, plain)) }
            }
            .countingAdditionalAllocations
        },
    ]
}

private let user = "anna"
private let lastNumber = Mutex(0)

/// An edit as a program without ProductKit would save it.
private struct EditByHand: Encodable {
    let id: UUID
    let product: String
    let isFavorite: Bool

    static func next(of count: Int) -> EditByHand {
        let number = nextNumber()
        return EditByHand(
            id: UUID(),
            product: "product number \(number % count)",
            isFavorite: (number / count).isMultiple(of: 2)
        )
    }
}

private func nextNumber() -> Int {
    lastNumber.withLock { number in
        number += 1
        return number
    }
}

extension Outbox.Edit {
    /// Returns an edit of the next of some products, which replaces the edit before of that product.
    fileprivate static func next(of count: Int = .max) -> Outbox.Edit {
        let number = nextNumber()
        let product = Product.ID("product number \(number % count)")
        return .setFavorite(product, to: (number / count).isMultiple(of: 2))
    }
}

extension Outbox.Session {
    /// Saves several edits at the same time.
    @concurrent fileprivate func saveNext(_ count: Int, of products: Int = .max) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await self.save(.next(of: products)) } }
            try await group.waitForAll()
        }
    }
}

/// Calls the body with an outbox whose server never responds, and with a file in the same directory.
@MainActor private func withOutbox<Value>(
    _ body: @MainActor (Outbox.Session, FileByHand) async throws -> Value
) async throws -> Value {
    let directory = try FileManager.default.newTemporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let outbox = newOutbox(in: directory).start(for: user) { _ in
        try await Task.sleep(for: .seconds(100_000))
        return Outbox.Confirmation()
    }
    let file = try FileByHand(in: directory)
    defer { file.closeFile() }
    let value = try await body(outbox, file)
    await outbox.stop()
    return value
}

/// Calls the body with a directory in which 500 changes are saved.
@MainActor private func withSavedChanges<Value>(
    _ body: @MainActor (URL) async throws -> Value
) async throws -> Value {
    let directory = try FileManager.default.newTemporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let outbox = newOutbox(in: directory).start(for: user) { _ in throw CancellationError() }
    for _ in 0..<5 { try await outbox.saveNext(100) }
    await outbox.stop()
    return try await body(directory)
}

private func newOutbox(in directory: URL) -> Outbox {
    Outbox(directory: directory.appending(path: "outbox"))
}

/// Opens an outbox with 500 changes, which cannot be sent.
private func openOutbox(in directory: URL) async throws -> Outbox.Session {
    let outbox = newOutbox(in: directory).start(for: user) { _ in
        throw URLError(.notConnectedToInternet)
    }
    try await outbox.open()
    guard outbox.changes.count == 500 else { throw OutboxError(.storageFailed) }
    return outbox
}

/// Copies the directory of an outbox into itself, replacing an earlier copy.
private func copy(of directory: URL) throws -> URL {
    let copy = directory.appending(path: "copy")
    try? FileManager.default.removeItem(at: copy)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
        at: directory.appending(path: "outbox"),
        to: copy.appending(path: "outbox")
    )
    return copy
}

/// The file of the only user of an outbox.
private func journal(in directory: URL) throws -> URL {
    let folder = directory.appending(path: "outbox/ProductKit-outbox-1")
    let files = try FileManager.default
        .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    guard let file = files.first(where: { $0.pathExtension == "journal" }) else {
        throw CocoaError(.fileNoSuchFile)
    }
    return file
}

@MainActor private func screen(
    _ actions: ProductViewModel.Actions,
    _ store: ProductStore
) -> ProductViewModel {
    ProductViewModel(
        product: Sample.product,
        localUser: LocalUser(currency: "EUR"),
        actions: actions,
        store: store
    )
}
