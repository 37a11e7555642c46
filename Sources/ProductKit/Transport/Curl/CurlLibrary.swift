#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Foundation
import Glibc

/// The functions of the libcurl that FoundationNetworking has loaded.
///
/// This file contains everything about libcurl that the compiler cannot check: the names and types
/// of functions, the numbers of `curl.h`, and the layout of C structures. They are part of
/// the binary interface of `libcurl.so.4`, which has been stable since 2006.
///
/// Three functions are variadic in C: `curl_easy_setopt`, `curl_easy_getinfo` and
/// `curl_multi_setopt`. They are called like functions with three parameters. On Linux, x86-64 and
/// arm64 pass integers and pointers in the same registers in both cases; other platforms do not.
struct CurlLibrary: Sendable {
    typealias Handle = OpaquePointer
    typealias Multi = OpaquePointer
    typealias List = OpaquePointer
    typealias Context = UnsafeMutableRawPointer
    typealias DataCallback =
        @convention(c) (UnsafeRawPointer?, _ size: Int, _ count: Int, Context?) -> Int
    typealias RequestCallback =
        @convention(c) (Context?, UnsafeRawPointer?, UnsafeRawPointer?, CInt, CInt) -> CInt
    /// The third parameter is a `struct curl_sockaddr *`.
    typealias OpenSocketCallback =
        @convention(c) (Context?, _ purpose: CInt, UnsafeRawPointer?) -> CInt
    typealias CloseSocketCallback = @convention(c) (Context?, _ socket: CInt) -> CInt
    typealias SocketCallback =
        @convention(c) (Handle?, _ socket: CInt, _ event: CInt, Context?, Context?) -> CInt
    typealias TimerCallback = @convention(c) (Multi?, _ milliseconds: Int, Context?) -> CInt

    /// The version, such as 7.88.1.
    let version: String
    /// Whether a transfer can be removed while its DNS lookup runs, without waiting for the lookup.
    let canAbandonLookups: Bool
    /// Whether a handle can be used for another transfer.
    ///
    /// Before 8.1.1, a malformed header section ends the process then (curl issue 11101).
    let canReuseHandles: Bool

    let makeHandle: @convention(c) @Sendable () -> Handle?
    let reset: @convention(c) @Sendable (Handle) -> Void
    let free: @convention(c) @Sendable (Handle) -> Void
    let makeMulti: @convention(c) @Sendable () -> Multi?
    let freeMulti: @convention(c) @Sendable (Multi) -> CInt
    let remove: @convention(c) @Sendable (Multi, Handle) -> CInt
    let freeList: @convention(c) @Sendable (List) -> Void
    private let addHandle: @convention(c) @Sendable (Multi, Handle) -> CInt
    private let appendToList: @convention(c) @Sendable (List?, UnsafePointer<CChar>) -> List?
    private let setInteger: @convention(c) @Sendable (Handle, UInt32, Int) -> CInt
    private let setPointer: @convention(c) @Sendable (Handle, UInt32, UnsafeRawPointer?) -> CInt
    private let getInfo: @convention(c) @Sendable (Handle, UInt32, UnsafeMutableRawPointer) -> CInt
    private let setMultiInteger: @convention(c) @Sendable (Multi, UInt32, Int) -> CInt
    private let setMultiPointer: @convention(c) @Sendable (Multi, UInt32, UnsafeRawPointer?) -> CInt
    private let performOnSocket:
        @convention(c) @Sendable (Multi, CInt, CInt, UnsafeMutablePointer<CInt>) -> CInt
    /// `SSL_has_pending` of the OpenSSL that libcurl uses; `nil` if it uses another library for TLS.
    private let hasPendingBytes: (@convention(c) @Sendable (UnsafeRawPointer) -> CInt)?
    private let readMessage:
        @convention(c) @Sendable (Multi, UnsafeMutablePointer<CInt>) -> UnsafeRawPointer?

    /// The library of this process, or the reason why it cannot be used.
    static let loaded = Result { () throws(CurlTransport.Unavailable) in try CurlLibrary() }

    /// The file with the certificate authorities to trust; `nil` for those of the system.
    ///
    /// The variable is that of `URLSession` on Android.
    static let certificateAuthorityFile = ProcessInfo.processInfo
        .environment["URLSessionCertificateAuthorityInfoFile"]
        .flatMap { $0.isEmpty ? nil : $0 }

    private init() throws(CurlTransport.Unavailable) {
        // Foundation initializes libcurl once, when the process creates its first session.
        URLSession(configuration: .ephemeral).invalidateAndCancel()
        guard let library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD) else {
            throw .init("FoundationNetworking has not loaded libcurl.so.4.")
        }
        func function<Function>(_ name: String) throws(CurlTransport.Unavailable) -> Function {
            guard let address = dlsym(library, name) else {
                throw .init("libcurl has no function \(name).")
            }
            return unsafeBitCast(address, to: Function.self)
        }
        let versionInfo: @convention(c) (CInt) -> UnsafeRawPointer = try function(
            "curl_version_info"
        )
        // struct { int age; char *version; unsigned version_num; char *host; int features; … }
        let info = versionInfo(0)
        let number = info.load(fromByteOffset: 16, as: UInt32.self)
        let features = info.load(fromByteOffset: 32, as: UInt32.self)
        version =
            info.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self)
            .map { String(cString: $0) } ?? "unknown"
        canAbandonLookups = number >= 0x07_57_00
        canReuseHandles = number >= 0x08_01_01
        guard number >= 0x07_50_00 else {
            throw .init("libcurl \(version) is older than 7.80.")
        }
        guard features & 1 << 2 != 0, features & 1 << 7 != 0 else {
            throw .init("libcurl \(version) has no TLS, or resolves host names synchronously.")
        }
        makeHandle = try function("curl_easy_init")
        reset = try function("curl_easy_reset")
        free = try function("curl_easy_cleanup")
        makeMulti = try function("curl_multi_init")
        freeMulti = try function("curl_multi_cleanup")
        addHandle = try function("curl_multi_add_handle")
        remove = try function("curl_multi_remove_handle")
        freeList = try function("curl_slist_free_all")
        appendToList = try function("curl_slist_append")
        setInteger = try function("curl_easy_setopt")
        setPointer = try function("curl_easy_setopt")
        getInfo = try function("curl_easy_getinfo")
        performOnSocket = try function("curl_multi_socket_action")
        readMessage = try function("curl_multi_info_read")
        hasPendingBytes = dlsym(library, "SSL_has_pending").map {
            unsafeBitCast($0, to: (@convention(c) @Sendable (UnsafeRawPointer) -> CInt).self)
        }
        setMultiInteger = try function("curl_multi_setopt")
        setMultiPointer = try function("curl_multi_setopt")
        // struct { const char *name; CURLoption id; curl_easytype type; … }
        let option: @convention(c) (UInt32) -> UnsafeRawPointer? = try function(
            "curl_easy_option_by_id"
        )
        for (name, number, types) in CurlOption.all
        where canAbandonLookups || number != CurlOption.Integer.quickExit.rawValue {
            guard let type = option(number)?.load(fromByteOffset: 12, as: UInt32.self),
                types.contains(type)
            else { throw .init("libcurl \(version) does not support the option \(name).") }
        }
        try checkCallingConvention()
    }

    /// Throws if a value that is passed to a variadic function does not arrive.
    private func checkCallingConvention() throws(CurlTransport.Unavailable) {
        guard let handle = makeHandle() else { return }
        defer { free(handle) }
        let value = UnsafeRawPointer(handle)
        var received: UnsafeRawPointer?
        guard setPointer(handle, 10103, value) == 0,  // CURLOPT_PRIVATE
            getInfo(handle, 0x10_0015, &received) == 0,  // CURLINFO_PRIVATE
            received == value
        else { throw .init("Swift cannot call libcurl \(version) on this platform.") }
    }
}

extension CurlLibrary {
    /// Sets an option of a handle.
    ///
    /// - Throws: The failure of libcurl. The transfer must not be started then, because it would not
    ///   do what the option requires.
    func set(_ option: CurlOption.Integer, to value: Int = 1, of handle: Handle) throws(CurlFailure)
    {
        try check(setInteger(handle, option.rawValue, value))
    }

    func set(_ option: CurlOption.Text, to value: String, of handle: Handle) throws(CurlFailure) {
        try check(value.withCString { setPointer(handle, option.rawValue, $0) })
    }

    func remove(_ option: CurlOption.Text, of handle: Handle) throws(CurlFailure) {
        try check(setPointer(handle, option.rawValue, nil))
    }

    func set(_ option: CurlOption.List, to value: List?, of handle: Handle) throws(CurlFailure) {
        try check(setPointer(handle, option.rawValue, UnsafeRawPointer(value)))
    }

    func set(
        _ option: CurlOption.Object,
        to value: UnsafeRawPointer?,
        of handle: Handle
    ) throws(CurlFailure) {
        try check(setPointer(handle, option.rawValue, value))
    }

    func set(_ option: CurlOption.Context, to value: Context, of handle: Handle) throws(CurlFailure)
    {
        try check(setPointer(handle, option.rawValue, value))
    }

    func set<Option: CurlOption.Callback>(
        _ option: Option,
        to value: Option.Function,
        of handle: Handle
    ) throws(CurlFailure) {
        let value = unsafeBitCast(value, to: UnsafeRawPointer.self)
        try check(setPointer(handle, option.rawValue, value))
    }

    private func check(_ code: CInt) throws(CurlFailure) {
        guard code == 0 else { throw CurlFailure(code: code, text: "") }
    }

    /// Starts the transfer of a handle.
    func add(_ handle: Handle, to multi: Multi) throws(CurlFailure) {
        guard addHandle(multi, handle) == 0 else { throw .notStarted }
    }

    /// Appends a text to a list; `nil` is the empty list.
    func append(_ text: String, to list: inout List?) throws(CurlFailure) {
        guard let longer = text.withCString({ appendToList(list, $0) }) else { throw .notStarted }
        list = longer
    }

    /// Sets the callbacks of a multi handle, and the maximum number of connections that it keeps.
    ///
    /// - Returns: Whether libcurl has accepted all of them.
    func configure(
        _ multi: Multi,
        context: Context,
        onSocket: SocketCallback,
        onTimer: TimerCallback,
        maximumIdleConnectionCount: Int
    ) -> Bool {
        let (onSocket, onTimer) = (
            unsafeBitCast(onSocket, to: UnsafeRawPointer.self),
            unsafeBitCast(onTimer, to: UnsafeRawPointer.self)
        )
        return setMultiPointer(multi, 20001, onSocket) == 0  // CURLMOPT_SOCKETFUNCTION
            && setMultiPointer(multi, 10002, context) == 0  // CURLMOPT_SOCKETDATA
            && setMultiPointer(multi, 20004, onTimer) == 0  // CURLMOPT_TIMERFUNCTION
            && setMultiPointer(multi, 10005, context) == 0  // CURLMOPT_TIMERDATA
            && setMultiInteger(multi, 6, maximumIdleConnectionCount) == 0  // CURLMOPT_MAXCONNECTS
    }

    /// Sends and receives what is possible over a socket.
    func perform(on socket: CInt, isReadable: Bool, isWritable: Bool, in multi: Multi) {
        var runningCount: CInt = 0
        // CURL_CSELECT_IN is 1 and CURL_CSELECT_OUT is 2.
        _ = performOnSocket(
            multi,
            socket,
            (isReadable ? 1 : 0) | (isWritable ? 2 : 0),
            &runningCount
        )
    }

    /// Does what is due at the time for which a multi handle has set its timer.
    func performTimer(of multi: Multi) {
        var runningCount: CInt = 0
        _ = performOnSocket(multi, -1, 0, &runningCount)  // CURL_SOCKET_TIMEOUT is -1.
    }

    /// Removes a transfer that has ended from a multi handle's list of them.
    ///
    /// - Returns: The transfer's handle and result (`CURLcode`); `nil` if there is none.
    func nextResult(of multi: Multi) -> (handle: Handle, code: CInt)? {
        var remainingCount: CInt = 0
        while let message = readMessage(multi, &remainingCount) {
            // struct { CURLMSG msg; CURL *easy_handle; union { void *whatever; CURLcode result; }; }
            let isDone = message.load(as: CInt.self) == 1  // CURLMSG_DONE
            if isDone, let handle = message.load(fromByteOffset: 8, as: Handle?.self) {
                return (handle, message.load(fromByteOffset: 16, as: CInt.self))
            }
        }
        return nil
    }

    /// Whether a part of the transfer's request has been sent, or of that to a proxy.
    func hasSentRequest(of handle: Handle) -> Bool {
        var size = 0
        return getInfo(handle, 0x20_000C, &size) == 0 && size > 0  // CURLINFO_REQUEST_SIZE
    }

    /// Whether the transfer uses a connection that an earlier transfer has opened.
    func usesOpenConnection(_ handle: Handle) -> Bool {
        var count = 1
        return getInfo(handle, 0x20_001A, &count) == 0 && count == 0  // CURLINFO_NUM_CONNECTS
    }

    /// Whether OpenSSL has received bytes of the transfer's connection that libcurl has not read.
    func hasUnreadBytes(_ handle: Handle) -> Bool {
        // struct curl_tlssessioninfo { curl_sslbackend backend; void *internals; }
        var session: UnsafeRawPointer?
        // CURLINFO_TLS_SSL_PTR
        guard let hasPendingBytes, getInfo(handle, 0x40_002D, &session) == 0,
            let session, session.load(as: CInt.self) == 1,  // CURLSSLBACKEND_OPENSSL
            let connection = session.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
        else { return false }
        return hasPendingBytes(connection) != 0
    }

    /// The server's own certificate in DER form; `nil` over a connection that was already open.
    func certificate(of handle: Handle) -> Data? {
        // struct curl_certinfo { int num_of_certs; struct curl_slist **certinfo; }
        var info: UnsafeRawPointer?
        guard getInfo(handle, 0x40_0022, &info) == 0, let info,  // CURLINFO_CERTINFO
            info.load(as: CInt.self) > 0,
            let lists = info.load(fromByteOffset: 8, as: UnsafePointer<UnsafeRawPointer?>?.self)
        else { return nil }
        // struct curl_slist { char *data; struct curl_slist *next; }
        var node = lists.pointee
        while let entry = node {
            if let data = entry.load(as: UnsafePointer<CChar>?.self) {
                let text = String(cString: data)
                if text.hasPrefix("Cert:") { return Data(pem: text.dropFirst(5)) }
            }
            node = entry.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
        }
        return nil
    }
}

extension Data {
    /// Decodes a certificate in PEM form (RFC 7468 §5).
    fileprivate init?(pem text: Substring) {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        self.init(base64Encoded: lines.joined())
    }
}
#endif
