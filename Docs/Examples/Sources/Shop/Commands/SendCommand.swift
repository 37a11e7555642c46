import ArgumentParser
import Foundation
import ProductKit

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send the changes that are saved in a directory.",
        discussion: """
            It sends everything that waits in the directory, once, and prints how many changes were \
            sent, how many were rejected, and how many still wait.

            The exit code is
              0   if nothing waits any longer and no change was rejected;
              75  if a change still waits, because the store cannot be reached: try again later;
              1   if the store has rejected a change, in this run or before, or if the directory \
            cannot be used. “shop pending DIRECTORY --dismiss” removes rejected changes.

            Examples:
              shop --keep ~/shop-changes favorite walking-boots --offline
              shop send ~/shop-changes --api http://127.0.0.1:8080/v1
            """
    )

    @Argument(
        help: "The directory that was passed to --keep.",
        transform: CacheOption.directory
    )
    var directory: URL

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard connection.hasUser else {
            throw ValidationError(
                "The changes of each user are saved apart, and a token does not name the user: "
                    + "add --user."
            )
        }
    }

    func run() async throws {
        let log = OutboxLog()
        try await connection.withService(
            outbox: log.outbox(in: directory),
            isOffline: false,
            isLogged: true
        ) { service in
            let waitingCount = try await service.outbox?.sendAll() ?? 0
            let rejections = service.outbox?.rejections ?? []
            Terminal.print(
                "Sent: \(log.sentCount). Rejected: \(rejections.count). "
                    + "Still waiting: \(waitingCount)."
            )
            for rejection in rejections { Terminal.print(rejection.text) }
            guard waitingCount == 0 else {
                if let reason = log.postponement { Terminal.print(reason.localizedDescription) }
                throw ExitCode.temporaryFailure
            }
            guard rejections.isEmpty else { throw ExitCode.failure }
        }
    }
}

extension ExitCode {
    /// The exit code of a program whose next run may succeed (`EX_TEMPFAIL` of `sysexits.h`).
    static let temporaryFailure = ExitCode(75)
}
