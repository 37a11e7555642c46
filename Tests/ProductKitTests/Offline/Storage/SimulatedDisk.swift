import Foundation
import ProductKit
import Synchronization

/// A file in memory that knows what a loss of power can leave of it, and calls that fail.
///
/// After a failed sync, later ones succeed without effect, as on Linux.
final class SimulatedDisk: Sendable {
    /// How much of a failing call is done.
    enum Fault: CaseIterable {
        case nothing, half, everything
    }

    private enum Write {
        case append([UInt8])
        case truncate(Int)

        func apply(to bytes: inout [UInt8]) {
            switch self {
            case .append(let new): bytes += new
            case .truncate(let count): bytes = Array(bytes.prefix(count))
            }
        }
    }

    private struct Inode {
        /// The content that was synced.
        var durable: [UInt8] = []
        /// Writes since then, in order.
        var pending: [Write] = []
        /// Whether a sync has failed.
        var isBroken = false

        var visible: [UInt8] { content(pending) }

        func content(_ writes: some Sequence<Write>) -> [UInt8] {
            writes.reduce(into: durable) { $1.apply(to: &$0) }
        }

        /// The contents that a loss of power can leave.
        var images: Set<[UInt8]> {
            var images: Set = [durable, visible]
            for (index, write) in pending.enumerated() {
                let start = content(pending[..<index])
                images.insert(start)
                guard case .append(let new) = write, !new.isEmpty else { continue }
                let zeros = [UInt8](repeating: 0, count: new.count)
                for torn in [1, new.count / 2, new.count - 1] {
                    images.insert(start + new.prefix(torn))
                }
                images.insert(start + zeros)
                // The later writes are on the disk, and this one is not.
                var writes = pending
                writes[index] = .append(zeros)
                images.insert(content(writes))
            }
            return images
        }
    }

    typealias Failing = @Sendable (_ index: Int, OutboxStorage.Operation) -> Fault?

    private struct State {
        var file = Inode()
        /// The former file, which a loss of power can bring back.
        var former: Inode?
        var replacement = Inode()
        var damaged: [UInt8] = []
        var calls: [OutboxStorage.Operation] = []
        var fails: Failing = { _, _ in nil }
        var error: any Error & Sendable = POSIXError(.EIO)
    }

    private let state: Mutex<State>

    init(_ bytes: [UInt8] = []) {
        state = Mutex(State(file: Inode(durable: bytes)))
    }

    /// The content, as the next process finds it.
    var bytes: [UInt8] { state.withLock { $0.file.visible } }
    /// The contents that a loss of power can leave.
    var images: Set<[UInt8]> {
        state.withLock { state in
            state.file.images.union(state.former?.images ?? [])
        }
    }
    /// The bytes that were saved because they could not be read.
    var damaged: [UInt8] { state.withLock { $0.damaged } }
    /// The operations that were called.
    var calls: [OutboxStorage.Operation] { state.withLock { $0.calls } }

    /// Removes the recorded calls, and lets no call fail any longer.
    func reset() {
        state.withLock { state in
            state.calls = []
            state.fails = { _, _ in nil }
        }
    }

    /// Lets all calls of some operations fail from now on.
    func fail(
        _ operations: OutboxStorage.Operation...,
        with error: any Error & Sendable = POSIXError(.EIO),
        doing fault: Fault = .nothing
    ) {
        fail(with: error) { _, call in operations.contains(call) ? fault : nil }
    }

    /// Lets calls fail.
    func fail(
        with error: any Error & Sendable = POSIXError(.EIO),
        where fails: @escaping Failing
    ) {
        state.withLock { state in
            state.error = error
            state.fails = fails
        }
    }

    var storage: OutboxStorage {
        var storage = OutboxStorage.inMemory()
        storage.load = {
            try self.call(.load) { _, _ in }
            return Data(self.bytes)
        }
        storage.append = { bytes in
            try self.call(.append) { state, fault in
                let count =
                    switch fault {
                    case .nothing: 0
                    case .half: bytes.count / 2
                    case .everything, nil: bytes.count
                    }
                state.file.pending.append(.append(Array(bytes.prefix(count))))
            }
        }
        storage.sync = {
            try self.call(.sync) { state, fault in
                if fault != nil { state.file.isBroken = true }
                if fault == .everything || !state.file.isBroken {
                    state.file.durable = state.file.visible
                    state.file.pending = []
                }
            }
        }
        storage.truncate = { count in
            try self.call(.truncate) { state, fault in
                if fault == .nothing { return }
                state.file.pending.append(.truncate(count))
                if count == 0 { (state.damaged, state.former) = ([], nil) }
            }
        }
        storage.writeReplacement = { bytes in
            try self.call(.writeReplacement) { state, fault in
                if fault == .nothing { return }
                let count = fault == .half ? bytes.count / 2 : bytes.count
                state.replacement = Inode(durable: Array(bytes.prefix(count)))
            }
        }
        storage.installReplacement = {
            try self.call(.installReplacement) { state, fault in
                if fault == .nothing { return }
                state.former = fault == nil ? nil : state.file
                state.file = state.replacement
            }
        }
        storage.saveDamaged = { bytes in
            try self.call(.saveDamaged) { state, fault in
                if fault == nil { state.damaged += bytes }
            }
        }
        return storage
    }

    private func call(
        _ operation: OutboxStorage.Operation,
        _ body: (inout State, Fault?) -> Void
    ) throws {
        let error = state.withLock { state in
            let fault = state.fails(state.calls.count, operation)
            state.calls.append(operation)
            body(&state, fault)
            return fault == nil ? nil : state.error
        }
        if let error { throw error }
    }
}

/// The open journal of Anna on a simulated disk.
struct OpenJournal {
    let disk: SimulatedDisk
    /// What the journal has read and reported when it was opened.
    let contents: OutboxFileContents
    let events: [String]
    private(set) var journal: OutboxJournal

    init(_ disk: SimulatedDisk) throws(OutboxError) {
        var events: [String] = []
        (journal, contents) = try OutboxJournal.open(disk.storage, user: "anna") { event in
            events.append(event.summary)
        }
        (self.disk, self.events) = (disk, events)
    }

    /// The numbers of the changes that the next opener finds.
    var saved: [Int?] {
        get throws {
            try disk.storage.contents().changes.map { Int($0.id.rawValue, radix: 16) }
        }
    }

    /// Saves the changes with these numbers.
    mutating func save(_ numbers: Int..., waiting: [Int] = []) throws(OutboxError) {
        try append(
            numbers.map { .saved(.numbered($0), replacing: []) },
            waiting: waiting.map { .numbered($0) }
        )
    }

    mutating func append(
        _ records: [OutboxRecord],
        isDurable: Bool = true,
        waiting: [Outbox.Change] = []
    ) throws(OutboxError) {
        let contents = OutboxFileContents(changes: waiting)
        try journal.append(records, isDurable: isDurable, contents: contents)
    }

    mutating func compactIfLong(waiting: [Outbox.Change]) {
        journal.compactIfLong(contents: OutboxFileContents(changes: waiting))
    }

    mutating func clear() throws(OutboxError) { try journal.clear() }

    mutating func erase() throws(OutboxError) { try journal.erase() }
}
