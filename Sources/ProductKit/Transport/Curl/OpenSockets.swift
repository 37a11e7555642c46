#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Glibc

/// The sockets of all connections of a multi handle.
///
/// libcurl does not report the socket of an open connection before a request is sent over it. So the
/// sockets are opened here, and found again by their ports.
final class OpenSockets {
    private var sockets: Set<CInt> = []

    /// Opens the socket of a new connection.
    ///
    /// - Parameter address: A `struct curl_sockaddr`: the family, the type and the protocol of the
    ///   socket, and the address.
    /// - Returns: The socket; -1 (`CURL_SOCKET_BAD`) if the system refuses it.
    fileprivate func open(_ address: UnsafeRawPointer) -> CInt {
        let descriptor = socket(
            address.load(as: CInt.self),
            address.load(fromByteOffset: 4, as: CInt.self) | CInt(SOCK_CLOEXEC.rawValue),
            address.load(fromByteOffset: 8, as: CInt.self)
        )
        if descriptor >= 0 { sockets.insert(descriptor) }
        return descriptor
    }

    /// Closes the socket of a connection.
    fileprivate func close(_ descriptor: CInt) -> CInt {
        sockets.remove(descriptor)
        return Glibc.close(descriptor)
    }

    /// Whether a connection that is to be used again has received nothing since its last response.
    ///
    /// Bytes that arrive before a request do not belong to its response: the server has sent more than
    /// the earlier response may have, or closes the connection (RFC 9112 §6.3 and §9.2).
    ///
    /// - Parameter localPort: The port of the connection on this computer. Connections to different
    ///   servers may have the same one; then all of them must be quiet.
    /// - Returns: `false` also if the connection is not found.
    func isQuiet(localPort: CInt) -> Bool {
        var entries = sockets.filter { Self.localPort(of: $0) == localPort }
            .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return !entries.isEmpty && poll(&entries, nfds_t(entries.count), 0) == 0
    }

    private static func localPort(of descriptor: CInt) -> CInt? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            guard let start = bytes.baseAddress,
                getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &size) == 0
            else { return nil }
            let family = CInt(bytes.load(as: sa_family_t.self))
            guard family == AF_INET || family == AF_INET6 else { return nil }
            // In both families, the port follows the family, in network byte order.
            return CInt(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }
}

extension CurlLibrary {
    /// Lets a transfer open and close the sockets of its connections with a set of them.
    ///
    /// The set must exist until the multi handle is freed, which closes the last connections.
    func set(_ sockets: OpenSockets, of handle: Handle) throws(CurlFailure) {
        let context = Unmanaged.passUnretained(sockets).toOpaque()
        try set(.openSocketData, to: context, of: handle)
        try set(CurlOption.OpenSocketCallback.openSocketFunction, to: onOpening, of: handle)
        try set(.closeSocketData, to: context, of: handle)
        try set(CurlOption.CloseSocketCallback.closeSocketFunction, to: onClosing, of: handle)
    }
}

private let onOpening: CurlLibrary.OpenSocketCallback = { context, _, address in
    guard let context, let address else { return -1 }
    return Unmanaged<OpenSockets>.fromOpaque(context).takeUnretainedValue().open(address)
}

private let onClosing: CurlLibrary.CloseSocketCallback = { context, descriptor in
    guard let context else { return 1 }
    return Unmanaged<OpenSockets>.fromOpaque(context).takeUnretainedValue().close(descriptor)
}
#endif
