#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Foundation
import Glibc

/// The thread of a transport, on which all calls of libcurl are made.
///
/// Other threads send it commands. It starts with the first command.
final class CurlEventLoop: Sendable {
    enum Command: Sendable {
        case start(CurlExchange)
        case stop(CurlExchange)
        /// Ends the thread; later commands have no effect.
        case end
    }

    private struct Inbox {
        /// The commands for which the thread has been woken.
        var commands: [Command] = []
        var hasThread = false
        var hasEnded = false
    }

    private let library: CurlLibrary
    private let configuration: TransportConfiguration
    private let inbox = Locked(Inbox())
    /// The ends of the pipe whose data wakes the thread.
    private let wakeUp: (read: CInt, write: CInt)

    /// Creates an event loop.
    ///
    /// - Throws: ``CurlTransport/Unavailable`` if the process cannot open more files.
    init(
        _ library: CurlLibrary,
        _ configuration: TransportConfiguration
    ) throws(CurlTransport.Unavailable) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .init("The process cannot open more files. Close some.")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeUp = (ends[0], ends[1])
        self.library = library
        self.configuration = configuration
    }

    deinit {
        close(wakeUp.read)
        close(wakeUp.write)
    }

    /// Sends a command to the thread; commands are carried out in their order.
    func send(_ command: Command) {
        let (needsThread, needsWakeUp) = inbox.withLock { inbox in
            guard !inbox.hasEnded else { return (false, false) }
            if case .end = command {
                inbox.hasEnded = true
                guard inbox.hasThread else { return (false, false) }
            }
            defer {
                inbox.commands.append(command)
                inbox.hasThread = true
            }
            return (!inbox.hasThread, inbox.commands.isEmpty)
        }
        if needsThread { startThread() }
        if needsWakeUp {
            var byte: UInt8 = 0
            _ = write(wakeUp.write, &byte, 1)
        }
    }

    private func startThread() {
        let thread = Thread { self.run() }
        thread.name = "CurlTransport"
        thread.start()
    }

    private func run() {
        blockSIGPIPE()
        // Without it, exchanges end with their deadlines.
        guard let handle = CurlMultiHandle(library, configuration) else { return }
        defer { handle.close() }
        while true {
            for command in handle.performSockets(orWaitFor: wakeUp.read) ? takeCommands() : [] {
                switch command {
                case .start(let exchange): handle.start(exchange)
                case .stop(let exchange): handle.stop(exchange)
                case .end: return
                }
            }
            handle.performTimer()
        }
    }

    private func takeCommands() -> [Command] {
        var bytes: (UInt64, UInt64) = (0, 0)
        _ = read(wakeUp.read, &bytes, 16)
        return inbox.withLock { inbox in
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    /// Blocks the signal that a write to a closed TLS connection sends to its thread.
    private func blockSIGPIPE() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
#endif
