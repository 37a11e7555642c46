package import Foundation

/// The contents of an outbox's file.
package struct OutboxFileContents: Equatable, Sendable {
    /// The changes that wait, in the order of saving.
    package var changes: [Outbox.Change]
    /// The rejections that were not dismissed, in the order of rejection.
    package var rejections: [Outbox.Rejection]
    /// The records of a later version, and those that may belong to its changes.
    package var unknownRecords: [Data]

    package init(
        changes: [Outbox.Change] = [],
        rejections: [Outbox.Rejection] = [],
        unknownRecords: [Data] = []
    ) {
        self.changes = changes
        self.rejections = rejections
        self.unknownRecords = unknownRecords
    }

    /// The records of a file with these contents, without the header.
    var records: [OutboxRecord] {
        rejections.flatMap { rejection in
            [
                OutboxRecord.saved(rejection.change, replacing: []),
                .rejected(rejection.id, message: rejection.message),
            ]
        } + changes.map { .saved($0, replacing: []) } + unknownRecords.map { .unknown($0) }
    }
}
