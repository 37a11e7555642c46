import ArgumentParser
import Foundation
import ProductKit
import Synchronization

/// The option for a directory with saved changes.
struct KeepOption: ParsableArguments {
    @Option(
        name: .customLong("keep"),
        help: ArgumentHelp(
            "A directory in which changes are saved until the store has received them.",
            valueName: "directory"
        ),
        transform: CacheOption.directory
    )
    var directory: URL?
}

/// Counts the outcomes of the changes in an outbox, and prints the damage of its file.
final class OutboxLog: Sendable {
    private struct State {
        var sentCount = 0
        var postponement: (any Error)?
    }

    private let state = Mutex(State())

    /// The number of changes that the store has carried out.
    var sentCount: Int { state.withLock(\.sentCount) }
    /// Why the latest change that could not be sent must wait.
    var postponement: (any Error)? { state.withLock(\.postponement) }

    /// Creates an outbox whose events are recorded.
    ///
    /// - Parameter directory: The directory for the saved changes.
    /// - Returns: The outbox.
    func outbox(in directory: URL) -> Outbox {
        Outbox(directory: directory, report: record)
    }

    @Sendable private func record(_ event: Outbox.Event) {
        switch event {
        case .sent: state.withLock { $0.sentCount += 1 }
        case .postponed(_, let error): state.withLock { $0.postponement = error }
        case .damaged(let count, let isTorn):
            let cause = isTorn ? "are incomplete" : "are damaged"
            warn("\(count) bytes of the saved changes \(cause). At most one change is lost.")
        case .unknownRecords(let count):
            warn(
                "A later version of shop has written \(count) records, which this one does not know."
            )
        default: break
        }
    }

    private func warn(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}

extension ProductService {
    /// The saved changes that the store has not received yet, in the order of saving.
    var savedChanges: [Outbox.Change] { outbox?.changes ?? [] }

    /// Carries out an edit.
    ///
    /// - Parameters:
    ///   - edit: The edit.
    ///   - send: Carries it out with this service.
    /// - Returns: The value of the closure. If the edit was saved and must be sent later, that is
    ///   printed, and the result is `nil`.
    /// - Throws: The error of the closure.
    func perform<Value>(
        _ edit: Outbox.Edit,
        _ send: () async throws -> Value
    ) async throws -> Value? {
        do {
            let value = try await send()
            guard !savedChanges.contains(where: { $0.edit == edit }) else {
                Terminal.print(
                    """
                    Saved and not sent yet: \(edit.text).
                    “shop send” sends it when the store can be reached.
                    """
                )
                return nil
            }
            // It returns when the file no longer contains the change.
            try await outbox?.sendAll()
            return value
        } catch {
            // The command prints the error, so the rejection has been seen.
            let rejections = outbox?.rejections.filter { $0.change.edit == edit } ?? []
            for rejection in rejections { outbox?.dismiss(rejection.id) }
            if !rejections.isEmpty { try await outbox?.sendAll() }
            throw error
        }
    }
}
