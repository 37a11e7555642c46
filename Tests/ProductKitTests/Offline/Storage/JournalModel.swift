import Foundation
import ProductKit
import Synchronization

extension Outbox.Change {
    /// A change whose identifier and edit are made from a number.
    static func numbered(_ number: Int, name: String = "List") -> Outbox.Change {
        let digits = String(number, radix: 16)
        let edits: [Outbox.Edit] = [
            .setFavorite("product \(number)", to: true),
            .addProduct("%boots\t", toList: "list"),
            .createList("list", name: name),
        ]
        return Outbox.Change(
            id: Identifier(String(repeating: "0", count: 32 - digits.count) + digits),
            edit: edits[number % edits.count],
            savedAt: Date(timeIntervalSince1970: Double(1_700_000_000 + number))
        )
    }
}

/// The required content of an outbox's file, according to the calls of its journal that returned.
struct JournalModel: Sendable {
    /// The changes that wait, in the order of saving.
    var changes: [Outbox.Change] = []
    var rejections: [Outbox.Rejection] = []
    /// The changes whose removal was appended without a sync: they may be found again.
    var removed: [Outbox.Change] = []
    /// The changes whose removal could not be appended: they may be found until all are removed.
    var unremoved: [Outbox.Change] = []

    var contents: OutboxFileContents {
        OutboxFileContents(changes: changes, rejections: rejections)
    }

    /// Applies a record.
    mutating func apply(_ record: OutboxRecord) {
        switch record {
        case .saved(let change, let replaced):
            changes.removeAll { replaced.contains($0.id) }
            removed.removeAll { replaced.contains($0.id) }
            changes.append(change)
        case .removed(let id):
            removed += changes.filter { $0.id == id }
            removed += rejections.filter { $0.id == id }.map(\.change)
            changes.removeAll { $0.id == id }
            rejections.removeAll { $0.id == id }
        case .rejected(let id, let message):
            for change in changes where change.id == id {
                rejections.append(Outbox.Rejection(change: change, message: message))
            }
            changes.removeAll { $0.id == id }
        case .header, .unknown:
            break
        }
    }

    /// Whether a file with these contents is allowed.
    func allows(_ contents: OutboxFileContents) -> Bool {
        let maybe = Set((removed + unremoved).map(\.id))
        let found = contents.changes.filter { !maybe.contains($0.id) }
        let rejected = contents.rejections.filter { !maybe.contains($0.id) }
        return found == changes.filter { !maybe.contains($0.id) }
            && rejected == rejections.filter { !maybe.contains($0.id) }
            && contents.unknownRecords.isEmpty
            // The identifiers are numbered in the order of saving.
            && contents.changes.map(\.id.rawValue) == contents.changes.map(\.id.rawValue).sorted()
            && Set(contents.changes.map(\.id)).count == contents.changes.count
    }
}

/// The use of a journal as by an outbox, with a model of what its file must contain.
struct JournalRun: Sendable {
    enum Step: Sendable {
        case save([OutboxRecord])
        case remove(Int)
        case clear
        case compact
        case erase
    }

    static let script: [Step] = [
        .save([.saved(.numbered(1), replacing: [])]),
        .save([.saved(.numbered(2), replacing: [])]),
        .remove(1),
        .save([.saved(.numbered(3), replacing: []), .saved(.numbered(4), replacing: [])]),
        .save([.saved(.numbered(5), replacing: [Outbox.Change.numbered(2).id])]),
        .save([.rejected(Outbox.Change.numbered(3).id, message: "No.")]),
        .save([.saved(.numbered(6), replacing: [])]),
        .compact,
        .remove(6), .remove(4), .remove(5), .remove(3),
        .clear,
        .save([.saved(.numbered(7), replacing: [])]),
        .remove(7),
        .save([.saved(.numbered(8), replacing: [])]),
        .erase,
        .save([.saved(.numbered(9), replacing: [])]),
    ]

    private(set) var model = JournalModel()
    /// The states that the file may have while a step runs: after each of its records.
    private(set) var states: [JournalModel] = [JournalModel()]
    private(set) var failures: [OutboxError] = []
    private var journal: OutboxJournal?
    private let storage: @Sendable () throws(OutboxError) -> OutboxStorage

    /// Creates a run with a closure that returns the storage, which is called again if it throws.
    init(_ storage: @escaping @Sendable () throws(OutboxError) -> OutboxStorage) {
        self.storage = storage
    }

    /// Performs the steps of a script, with a closure that is called before and after each step.
    mutating func perform(_ script: [Step], update: (JournalRun) -> Void = { _ in }) {
        for step in script {
            states = upcomingStates(of: step)
            update(self)
            do throws(OutboxError) {
                try perform(step)
            } catch {
                failures.append(error)
            }
            states = [model]
            update(self)
        }
    }

    private func upcomingStates(of step: Step) -> [JournalModel] {
        var next = model
        switch step {
        case .save(let records):
            // The disk may have written any of the records.
            return records.reduce([model]) { states, record in
                states
                    + states.map { state in
                        var state = state
                        state.apply(record)
                        return state
                    }
            }
        case .remove(let number):
            next.apply(.removed(Outbox.Change.numbered(number).id))
            return [model, next]
        case .clear, .compact: return [model]
        case .erase: return [model, JournalModel()]
        }
    }

    private mutating func perform(_ step: Step) throws(OutboxError) {
        var journal = try open()
        defer { self.journal = journal }
        let contents = model.contents
        switch step {
        case .save(let records):
            try journal.append(records, isDurable: true, contents: contents)
            for record in records { model.apply(record) }
            model.removed = []
        case .remove(let number):
            let record = OutboxRecord.removed(Outbox.Change.numbered(number).id)
            model.apply(record)
            do {
                try journal.append([record], isDurable: false, contents: model.contents)
            } catch {
                model.unremoved = model.removed
                throw error
            }
        case .clear:
            guard model.changes.isEmpty, model.rejections.isEmpty else { return }
            try journal.clear()
            (model.removed, model.unremoved) = ([], [])
        case .compact:
            journal.compactIfLong(contents: contents)
        case .erase:
            try journal.erase()
            model = JournalModel()
        }
    }

    /// Opens the file at the first use, and again at the next one if that fails.
    private func open() throws(OutboxError) -> OutboxJournal {
        if let journal { return journal }
        return try OutboxJournal.open(storage(), user: "anna") { _ in }.journal
    }
}

extension JournalRun {
    /// Performs a script, and reads everything that a loss of power can leave after each call of the
    /// storage and after each step.
    ///
    /// - Returns: The texts that are not allowed then, and the number of all texts.
    static func findings(
        in script: [Step] = script,
        images: @escaping @Sendable () -> Set<[UInt8]>,
        storage: @escaping @Sendable () throws(OutboxError) -> OutboxStorage
    ) -> (findings: [String], count: Int) {
        let states = Mutex([JournalModel()])
        let findings = Mutex<[String]>([])
        let count = Counter()
        let check: @Sendable (String) -> Void = { call in
            for image in images() {
                count.next()
                let found = try? SimulatedDisk(image).storage.contents()
                if states.withLock({ $0.contains { found.map($0.allows) ?? false } }) { continue }
                let text = String(decoding: image, as: UTF8.self)
                findings.withLock { $0.append("after \(call): \(text)") }
            }
        }
        var run = JournalRun { () throws(OutboxError) in
            try storage().observed(after: { check($0.rawValue) })
        }
        run.perform(script) { run in
            states.withLock { $0 = run.states }
            if run.states.count == 1 { check("step") }
        }
        return (findings.withLock(\.self), count.count)
    }
}

extension OutboxStorage {
    /// Reads the contents of the file, which may repair it.
    func contents(user: String = "anna") throws(OutboxError) -> OutboxFileContents {
        try OutboxJournal.open(self, user: user) { _ in }.contents
    }
}
