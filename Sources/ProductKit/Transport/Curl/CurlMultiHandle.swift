#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Dispatch
import Foundation
import Glibc

/// A multi handle of libcurl: the transfers that it performs at the same time, and the sockets that it waits for.
///
/// It keeps open connections for later transfers. All methods must be called on the thread of the
/// ``CurlEventLoop``.
final class CurlMultiHandle {
    private let library: CurlLibrary
    private let multi: CurlLibrary.Multi
    private let configuration: TransportConfiguration
    private let openSockets = OpenSockets()
    private var transfers: [CurlLibrary.Handle: CurlTransfer] = [:]
    /// The active and the waiting exchanges of each origin.
    private var origins: [String: WaitingExchanges<CurlExchange>] = [:]
    private var idleHandles: [CurlLibrary.Handle] = []
    /// The events to wait for on each socket (`POLLIN`, `POLLOUT`).
    private var sockets: [CInt: Int16] = [:]
    /// The arguments of `poll` for the sockets; empty when the sockets have changed.
    private var pollEntries: [pollfd] = []
    /// When libcurl must be called without an event on a socket.
    private var timer: DispatchTime?

    /// Creates a multi handle; `nil` if libcurl cannot.
    init?(_ library: CurlLibrary, _ configuration: TransportConfiguration) {
        guard let multi = library.makeMulti() else { return nil }
        self.multi = multi
        self.library = library
        self.configuration = configuration
        let isConfigured = library.configure(
            multi,
            context: Unmanaged.passUnretained(self).toOpaque(),
            onSocket: { _, socket, event, context, _ in
                guard let context else { return 0 }
                let handle = Unmanaged<CurlMultiHandle>.fromOpaque(context).takeUnretainedValue()
                handle.watch(socket, event: event)
                return 0
            },
            onTimer: { _, milliseconds, context in
                guard let context else { return 0 }
                let handle = Unmanaged<CurlMultiHandle>.fromOpaque(context).takeUnretainedValue()
                handle.setTimer(milliseconds)
                return 0
            },
            maximumIdleConnectionCount: maximumIdleCount
        )
        guard isConfigured else {
            _ = library.freeMulti(multi)
            return nil
        }
    }

    /// The maximum number of connections, and of handles, that are kept for later transfers.
    private var maximumIdleCount: Int { 2 * max(32, configuration.maximumRequestsPerOrigin) }

    /// Ends all transfers and closes all connections.
    func close() {
        // No exchange waits: the transport, which its callers retain, sends `end` when it is deallocated.
        origins = [:]
        for transfer in transfers.values {
            remove(transfer)
            transfer.exchange.fail(.connectionLost)
        }
        _ = library.freeMulti(multi)
        for handle in idleHandles { library.free(handle) }
        idleHandles = []
    }
}

extension CurlMultiHandle {
    /// Starts the transfer of an exchange as soon as its origin has fewer than the maximum.
    func start(_ exchange: CurlExchange) {
        guard !exchange.hasEnded else { return }
        if origins[exchange.origin, default: WaitingExchanges()].mayStart(
            exchange,
            maximumActiveCount: configuration.maximumRequestsPerOrigin
        ) {
            startTransfer(of: exchange)
        }
    }

    /// Stops the transfer of an exchange, if it has one, and closes its connection.
    func stop(_ exchange: CurlExchange) {
        if let transfer = transfers.values.first(where: { $0.exchange === exchange }) {
            end(transfer)
        }
    }

    private func startTransfer(of exchange: CurlExchange, retry: CurlTransfer.Retry? = nil) {
        guard let handle = idleHandles.popLast() ?? library.makeHandle() else {
            startNext(to: exchange.origin)
            return exchange.fail(.unreachable)
        }
        let transfer = CurlTransfer(
            exchange,
            handle: handle,
            library: library,
            configuration: configuration,
            sockets: openSockets,
            retry: retry
        )
        transfers[handle] = transfer
        do {
            try transfer.setOptions()
            try library.add(handle, to: multi)
        } catch {
            complete(transfer, code: error.code)
        }
    }

    private func complete(_ transfer: CurlTransfer, code: CInt) {
        if let retry = transfer.neededRetry, !transfer.exchange.hasEnded {
            remove(transfer)
            return startTransfer(of: transfer.exchange, retry: retry)
        }
        let result = transfer.result(code)
        end(transfer)
        transfer.exchange.complete(with: result)
    }

    private func end(_ transfer: CurlTransfer) {
        remove(transfer)
        startNext(to: transfer.exchange.origin)
    }

    private func remove(_ transfer: CurlTransfer) {
        transfers[transfer.handle] = nil
        _ = library.remove(multi, transfer.handle)
        if library.canReuseHandles, idleHandles.count < maximumIdleCount {
            library.reset(transfer.handle)
            idleHandles.append(transfer.handle)
        } else {
            library.free(transfer.handle)
        }
    }

    /// Starts the next exchange that waits, after a transfer to its origin has ended.
    private func startNext(to origin: String) {
        if let next = origins[origin]?.next() {
            startTransfer(of: next)
        } else if origins[origin]?.isUnused == true {
            origins[origin] = nil
        }
    }
}

extension CurlMultiHandle {
    /// Waits until a socket is ready or the timer is due, and performs the sockets that are ready.
    ///
    /// - Parameter wakeUp: A descriptor that also ends the wait.
    /// - Returns: Whether the descriptor is readable.
    func performSockets(orWaitFor wakeUp: CInt) -> Bool {
        if pollEntries.isEmpty {
            pollEntries = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
            pollEntries += sockets.map { pollfd(fd: $0, events: $1, revents: 0) }
        }
        let entryCount = nfds_t(pollEntries.count)
        guard poll(&pollEntries, entryCount, millisecondsUntilTimer) >= 0 else { return false }
        let isWoken = pollEntries[0].revents != 0
        for entry in pollEntries.dropFirst() where entry.revents != 0 {
            // libcurl notices a failed socket when it reads or writes.
            let failed = Int32(entry.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
            library.perform(
                on: entry.fd,
                isReadable: failed || Int32(entry.revents) & POLLIN != 0,
                isWritable: failed || Int32(entry.revents) & POLLOUT != 0,
                in: multi
            )
        }
        return isWoken
    }

    /// Performs the timer if it is due, as it is for a new transfer, and completes the transfers that
    /// have ended.
    func performTimer() {
        if let timer, timer <= .now() {
            self.timer = nil
            library.performTimer(of: multi)
        }
        while let (handle, code) = library.nextResult(of: multi) {
            if let transfer = transfers[handle] { complete(transfer, code: code) }
        }
    }

    private var millisecondsUntilTimer: CInt {
        guard let timer else { return -1 }
        let now = DispatchTime.now().uptimeNanoseconds
        guard timer.uptimeNanoseconds > now else { return 0 }
        return CInt(clamping: (timer.uptimeNanoseconds - now + 999_999) / 1_000_000)
    }

    private func setTimer(_ milliseconds: Int) {
        timer = milliseconds < 0 ? nil : .now() + .milliseconds(milliseconds)
    }

    /// Watches a socket for `CURL_POLL_IN` (1), `CURL_POLL_OUT` (2) or both, or no longer
    /// (`CURL_POLL_REMOVE`, 4).
    private func watch(_ socket: CInt, event: CInt) {
        let events = (event & 1 != 0 ? POLLIN : 0) | (event & 2 != 0 ? POLLOUT : 0)
        sockets[socket] = event == 4 ? nil : Int16(events)
        pollEntries = []
    }
}
#endif
