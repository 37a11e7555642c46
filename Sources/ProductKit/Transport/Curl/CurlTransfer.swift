#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Foundation

/// One exchange in libcurl: the options of its handle, and the part of its response that has been
/// received.
///
/// It is used only on the thread of the ``CurlEventLoop``, on which libcurl calls its callbacks.
final class CurlTransfer {
    let exchange: CurlExchange
    let handle: CurlLibrary.Handle
    private let library: CurlLibrary
    private let configuration: TransportConfiguration
    private let sockets: OpenSockets
    private let retry: Retry?
    private var fields: CurlLibrary.List?
    /// The text that libcurl writes when the transfer fails (`CURL_ERROR_SIZE`).
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: 256)
    private var head = ResponseHead()
    private var body = Data()
    private var coding = ContentCoding.identity
    private var decoder: GzipDecoder?
    /// The number of bytes of a compressed body that have been received.
    private var compressedCount = 0
    private var wasSent = false
    /// How to repeat the transfer, because libcurl was stopped from sending the request over an open
    /// connection; `nil` if it was not.
    private(set) var neededRetry: Retry?
    /// The error with which a callback has stopped the transfer.
    private var refusal: NetworkError?

    /// Another transfer of the same exchange, over a new connection.
    struct Retry {
        /// Whether the server may have received the request already, over an earlier connection.
        let mayHaveArrived: Bool
    }

    init(
        _ exchange: CurlExchange,
        handle: CurlLibrary.Handle,
        library: CurlLibrary,
        configuration: TransportConfiguration,
        sockets: OpenSockets,
        retry: Retry?
    ) {
        self.exchange = exchange
        self.handle = handle
        self.library = library
        self.configuration = configuration
        self.sockets = sockets
        self.retry = retry
        errorText.initialize(repeating: 0, count: 256)
    }

    deinit {
        if let fields { library.freeList(fields) }
        errorText.deallocate()
    }

    /// Makes the result of the exchange from that of libcurl (`CURLcode`).
    func result(_ code: CInt) -> Result<NetworkResponse, any Error> {
        Result {
            let request = exchange.request
            if let error = refusal ?? error(code) {
                let isPrecise = request.isSafe || error.code.mayHaveReachedServer || !hasArrived
                throw isPrecise
                    ? error : NetworkError(.connectionLost, request: request, underlying: error)
            }
            guard head.isComplete else { throw failure(.connectionLost) }
            guard decoder?.isComplete ?? true else { throw failure(.unreadable) }
            var response = NetworkResponse(
                statusCode: head.statusCode ?? 0,
                headers: head.headers,
                body: body,
                url: request.url
            )
            response.mayBeTruncated = mayBeTruncated
            return response
        }
    }

    /// Whether the body may have been cut off: over TLS, it ends with the connection, and libcurl does not
    /// report whether the server has closed that properly (RFC 9112 §9.8).
    private var mayBeTruncated: Bool {
        exchange.request.url?.scheme == "https" && mayHaveBody
            && head.headers["Content-Length"] == nil && head.headers["Transfer-Encoding"] == nil
    }

    private var mayHaveBody: Bool {
        exchange.request.method != "HEAD" && ![204, 304].contains(head.statusCode)
    }

    private func error(_ code: CInt) -> NetworkError? {
        guard code != 0 else { return nil }
        return NetworkError(
            CurlFailure(code: code, text: String(cString: errorText)),
            request: exchange.request,
            head: head,
            hasArrived: hasArrived
        )
    }

    /// Whether the server may have received the request, also over an earlier connection.
    private var hasArrived: Bool {
        retry?.mayHaveArrived == true || wasSent && library.hasSentRequest(of: handle)
    }
}

extension CurlTransfer {
    /// Sets the options of the handle; if that fails, the transfer must not be started.
    func setOptions() throws(CurlFailure) {
        try setConnectionOptions()
        try setRequest()
        try setCallbacks()
    }

    private func setConnectionOptions() throws(CurlFailure) {
        let request = exchange.request
        try library.set(.noSignal, of: handle)
        try library.set(.protocols, to: 0b11, of: handle)  // CURLPROTO_HTTP and CURLPROTO_HTTPS
        try library.set(.suppressConnectHeaders, of: handle)
        if library.canAbandonLookups { try library.set(.quickExit, of: handle) }
        // Plain HTTP to this computer is allowed because it does not leave it.
        if request.url?.isLoopback == true { try library.set(.noProxy, to: "*", of: handle) }
        if let file = CurlLibrary.certificateAuthorityFile {
            try library.set(.caInfo, to: file, of: handle)
            // In place of those of the system, which may be in a folder. Some TLS libraries have no such option.
            try? library.remove(.caPath, of: handle)
        }
        // CURL_HTTP_VERSION_1_1: over one connection of HTTP/2, a server could delay all requests.
        try library.set(.httpVersion, to: 2, of: handle)
        // libcurl sends a request again when an open connection turns out to be closed.
        if retry != nil || !request.isResendable { try library.set(.freshConnect, of: handle) }
        if configuration.isTrusted != nil {
            try library.set(.certInfo, of: handle)
            try library.set(.sslSessionIDCache, to: 0, of: handle)
        }
    }

    private func setRequest() throws(CurlFailure) {
        let request = exchange.request
        let body = request.httpBody ?? Data()
        try library.set(.url, to: request.url?.absoluteString ?? "", of: handle)
        try library.set(.pathAsIs, of: handle)
        switch request.method {
        case "GET": break
        case "HEAD": try library.set(.noBody, of: handle)
        case let method:
            if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) { try setBody(body) }
            try library.set(.customRequest, to: method, of: handle)
        }
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            let isBlank = value[...].trimmingOWS.isEmpty
            try library.append(isBlank ? "\(name);" : "\(name): \(value)", to: &fields)
        }
        if Zlib.loaded != nil, request.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            // A range of a compressed body cannot be decompressed (RFC 9110 §14.2).
            let isPart = request.value(forHTTPHeaderField: "Range") != nil
            try library.append("Accept-Encoding: \(isPart ? "identity" : "gzip")", to: &fields)
        }
        // Without a value, a field is not sent.
        try library.append("Expect:", to: &fields)
        if request.value(forHTTPHeaderField: "Content-Type") == nil {
            try library.append("Content-Type:", to: &fields)
        }
        if request.value(forHTTPHeaderField: "User-Agent") == nil {
            try library.append("User-Agent: ProductKit", to: &fields)
        }
        try library.set(.httpHeader, to: fields, of: handle)
    }

    private func setBody(_ body: Data) throws(CurlFailure) {
        try library.set(.postFieldSize, to: body.count, of: handle)
        // The address must not be `nil`, even if the size is 0.
        let result = (body.isEmpty ? Data([0]) : body).withUnsafeBytes { bytes in
            Result { () throws(CurlFailure) in
                try library.set(.copyPostFields, to: bytes.baseAddress, of: handle)
            }
        }
        try result.get()
    }

    private func setCallbacks() throws(CurlFailure) {
        try library.set(sockets, of: handle)
        let context = Unmanaged.passUnretained(self).toOpaque()
        try library.set(.errorBuffer, to: errorText, of: handle)
        try library.set(.headerData, to: context, of: handle)
        try library.set(CurlOption.DataCallback.headerFunction, to: onHeadLine, of: handle)
        try library.set(.writeData, to: context, of: handle)
        try library.set(CurlOption.DataCallback.writeFunction, to: onBodyPart, of: handle)
        try library.set(.prereqData, to: context, of: handle)
        try library.set(CurlOption.RequestCallback.prereqFunction, to: onRequest, of: handle)
    }
}

extension CurlTransfer {
    /// Called before the request is sent; `false` stops the transfer.
    ///
    /// An open connection was trusted when it was opened. It is not used if it is not quiet.
    fileprivate func approveSending(localPort: CInt) -> Bool {
        guard !wasSent else {
            guard exchange.request.isResendable, retry == nil else {
                return refuse(.connectionLost)
            }
            neededRetry = Retry(mayHaveArrived: true)
            return false
        }
        guard !library.usesOpenConnection(handle) else {
            wasSent = sockets.isQuiet(localPort: localPort) && !library.hasUnreadBytes(handle)
            if !wasSent { neededRetry = Retry(mayHaveArrived: false) }
            return wasSent
        }
        // Until then, libcurl has sent at most the request to a proxy.
        wasSent = checkTrust()
        return wasSent || refuse(.untrusted)
    }

    /// Returns whether the closure trusts the server; `true` without a closure or without TLS.
    private func checkTrust() -> Bool {
        guard let isTrusted = configuration.isTrusted, let url = exchange.request.url,
            url.scheme == "https"
        else { return true }
        return library.certificate(of: handle).map {
            isTrusted(ServerIdentity(host: url.host ?? "", certificates: [$0]))
        } ?? false
    }

    /// Receives a line of the head or a trailer field; `false` stops the transfer.
    fileprivate func receive(line: UnsafeRawBufferPointer) -> Bool {
        let wasComplete = head.isComplete
        do {
            try head.read(line)
        } catch {
            switch error {
            case .tooLarge: return refuse(.tooManyFields(exchange.request, of: head.response))
            case .invalid: return refuse(.unreadable)
            }
        }
        return wasComplete || !head.isComplete || acceptHead()
    }

    /// Checks the complete head, before the body is received.
    ///
    /// If it is refused, the connection is closed. A transfer coding may only be `chunked`: the request
    /// allows no other (RFC 9112 §7.4).
    private func acceptHead() -> Bool {
        let headers = head.headers
        do { try head.response?.checkHeaders(for: exchange.request) } catch { return refuse(error) }
        coding = ContentCoding(headers["Content-Encoding"])
        let transferCoding = headers["Transfer-Encoding"]?.lowercased() ?? "chunked"
        guard transferCoding == "chunked", coding != .unsupported || !mayHaveBody else {
            return refuse(.unreadable)
        }
        let length = headers["Content-Length"].flatMap(\.decimalNumber) ?? 0
        let hasBody = head.statusCode == 200 && exchange.request.method != "HEAD"
        return !hasBody || length <= configuration.maximumBodySize || refuse(.tooLarge)
    }

    /// Receives a part of the body; `false` stops the transfer.
    fileprivate func receive(body part: UnsafeRawBufferPointer) -> Bool {
        guard coding == .gzip else { return append(part) }
        if decoder == nil { decoder = Zlib.loaded.flatMap { GzipDecoder($0) } }
        guard let decoder else { return refuse(.unreadable) }
        // Compressed members may be empty, so the size of the body does not limit their number.
        compressedCount += part.count
        guard compressedCount - configuration.maximumBodySize <= 64 << 10 else {
            return refuse(.tooLarge)
        }
        return decoder.decode(part, append) || refusal == nil && refuse(.unreadable)
    }

    /// Adds a decompressed part to the body; `false` stops the transfer.
    private func append(_ part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= configuration.maximumBodySize - body.count else {
            return refuse(.tooLarge)
        }
        body.append(contentsOf: part)
        return true
    }

    private func refuse(_ code: NetworkError.Code) -> Bool {
        refuse(failure(code))
    }

    private func failure(_ code: NetworkError.Code) -> NetworkError {
        NetworkError(code, request: FailedRequest(exchange.request), head: head.response)
    }

    private func refuse(_ error: NetworkError) -> Bool {
        refusal = error
        return false
    }
}

private let onHeadLine: CurlLibrary.DataCallback = { bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.receive(line: line) ? line.count : -1
}

private let onBodyPart: CurlLibrary.DataCallback = { bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.receive(body: part) ? part.count : -1
}

private let onRequest: CurlLibrary.RequestCallback = { context, _, _, _, localPort in
    guard let context else { return 1 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.approveSending(localPort: localPort) ? 0 : 1
}
#endif
