import Foundation
import ProductKit

/// A directory with an outbox, and beside it a ledger of what was saved and what a store received.
///
/// Each edit adds a product with a number of its own to a list, so that none replaces another. The
/// ledger consists of files, which survive the end of a process.
struct OutboxProbe: Sendable {
    /// How a store treats the changes that it receives.
    enum Store: CaseIterable {
        case confirms, isUnreachable, losesResponses
    }

    let directory: URL
    private let ledger: URL

    /// Creates a probe below a directory.
    init(in parent: URL) {
        directory = parent.appending(path: "changes")
        ledger = parent.appending(path: "ledger")
        try? FileManager.default.createDirectory(at: ledger, withIntermediateDirectories: true)
    }

    /// Starts an outbox in a directory, by default that of the probe, whose changes are sent to a store.
    func outbox(
        _ store: @escaping @Sendable () -> Store = { .confirms },
        in other: URL? = nil,
        report: @escaping @Sendable (Outbox.Event) -> Void = { _ in }
    ) -> Outbox.Session {
        Outbox(directory: other ?? directory, report: report).start(for: "anna") { change in
            guard case .addProduct(let product, let list) = change.edit else {
                return Outbox.Confirmation()
            }
            let store = store()
            if store == .isUnreachable { throw NetworkError(.unreachable) }
            append("\(list) \(product) \(change.id)", to: "received")
            if store == .losesResponses { throw NetworkError(.connectionLost) }
            return Outbox.Confirmation()
        }
    }

    /// Saves an edit, and adds it to the ledger when it is saved.
    func save(_ number: Int, in list: String, with outbox: Outbox.Session) async throws {
        append("\(list) \(number)", to: "attempted")
        try await outbox.save(.addProduct(.init("\(number)"), toList: .init(list)))
        append("\(list) \(number)", to: "saved")
    }

    /// Sends everything that waits, as a new process does, and returns all that is wrong.
    ///
    /// - Parameter lossLimit: The number of edits that may be lost, because of damage.
    /// - Returns: A description of each fault.
    /// - Throws: The error of the outbox if its file cannot be opened.
    func faults(lossLimit: Int = 0) async throws -> [String] {
        let outbox = outbox()
        let waitingCount = try await outbox.sendAll()
        var faults = waitingCount == 0 ? [] : ["\(waitingCount) changes still wait"]
        await outbox.stop()
        let reopened = self.outbox { .isUnreachable }
        try await reopened.open()
        faults += reopened.changes.map { "sent change \($0.edit) waits" }
        await reopened.stop()

        var ids: [String: String] = [:]
        var numbers: [String: Int] = [:]
        for received in lines(of: "received") {
            let (list, number, id) = (received[0], received[1], received[2])
            if let known = ids[number] {
                if known != id { faults.append("\(number) has two identifiers") }
                continue
            }
            ids[number] = id
            let value = Int(number) ?? 0
            if value < numbers[list] ?? 0 { faults.append("\(number) is out of order") }
            numbers[list] = value
        }
        let attempted = Set(lines(of: "attempted").map { $0[1] })
        faults += ids.keys.filter { !attempted.contains($0) }.map { "\($0) is unknown" }
        let lost = lines(of: "saved").map { $0[1] }.filter { ids[$0] == nil }
        if lost.count > lossLimit { faults.append("lost: \(lost)") }
        return faults
    }

    /// The number of edits that were saved.
    var savedCount: Int { lines(of: "saved").count }
    /// The number of changes that the store has received, with repetitions.
    var receivedCount: Int { lines(of: "received").count }

    private func append(_ line: String, to name: String) {
        let path = ledger.appending(path: name).path(percentEncoded: false)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // One call, so that a line is complete or missing when the process is killed.
        let bytes = Array("\(line)\n".utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { abort() }
        close(descriptor)
    }

    private func lines(of name: String) -> [[String]] {
        let text = try? String(contentsOf: ledger.appending(path: name), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }
}
