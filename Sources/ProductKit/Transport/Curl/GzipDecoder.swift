#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Glibc

/// Decompresses a body with zlib, part by part.
///
/// libcurl would refuse a response with a content coding that it does not know, such as `UTF-8`, and
/// cannot be stopped while it decompresses. Therefore it does not decompress.
final class GzipDecoder {
    private static let bufferSize = 65_536

    private let zlib: Zlib
    private let stream: UnsafeMutablePointer<Zlib.Stream>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)
    /// Whether the end of the compressed data has been reached.
    private(set) var isComplete = false

    /// Creates a decoder; returns `nil` without memory.
    init?(_ zlib: Zlib) {
        self.zlib = zlib
        stream = .allocate(capacity: 1)
        stream.initialize(to: Zlib.Stream())
        // 15 bits for the largest window, and 16 for gzip (RFC 1952). zlib compares only the first digit of
        // the version.
        let size = CInt(MemoryLayout<Zlib.Stream>.size)
        guard zlib.initialize(stream, 15 + 16, "1.2.0", size) == 0 else { return nil }
    }

    deinit {
        _ = zlib.finish(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// Decompresses a part of the body, and passes each decompressed part to `receive`, which returns `false` to stop.
    ///
    /// - Returns: `false` if it was stopped or the part is not valid.
    func decode(
        _ part: UnsafeRawBufferPointer,
        _ receive: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        stream.pointee.input = part.baseAddress
        stream.pointee.inputSize = UInt32(part.count)
        var isFull = false
        while stream.pointee.inputSize > 0 || isFull {
            // A body may consist of several compressed members (RFC 1952 §2.2).
            if isComplete, zlib.restart(stream) != 0 { return false }
            stream.pointee.output = buffer.baseAddress
            stream.pointee.outputSize = UInt32(buffer.count)
            guard let isComplete = zlib.inflate(stream) else { return false }
            self.isComplete = isComplete
            let count = buffer.count - Int(stream.pointee.outputSize)
            if count > 0, !receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
                return false
            }
            isFull = count == buffer.count && !isComplete
        }
        return true
    }
}

/// The functions of zlib, which libcurl and Foundation use as well.
///
/// `libz.so.1` has had the same binary interface since 1995.
struct Zlib: Sendable {
    /// The structure `z_stream`.
    struct Stream {
        var input: UnsafeRawPointer?
        var inputSize: UInt32 = 0
        var totalInput: UInt = 0
        var output: UnsafeMutableRawPointer?
        var outputSize: UInt32 = 0
        var totalOutput: UInt = 0
        var message: UnsafePointer<CChar>?
        var state: OpaquePointer?
        var allocate: OpaquePointer?
        var free: OpaquePointer?
        var context: OpaquePointer?
        var dataType: CInt = 0
        var checksum: UInt = 0
        var reserved: UInt = 0
    }

    /// The library of this system; `nil` if there is none.
    static let loaded = Zlib()

    fileprivate let initialize:
        @convention(c) @Sendable (
            UnsafeMutableRawPointer, _ windowBits: CInt, _ version: UnsafePointer<CChar>, CInt
        ) -> CInt
    private let step: @convention(c) @Sendable (UnsafeMutableRawPointer, _ flush: CInt) -> CInt
    fileprivate let restart: @convention(c) @Sendable (UnsafeMutableRawPointer) -> CInt
    fileprivate let finish: @convention(c) @Sendable (UnsafeMutableRawPointer) -> CInt

    private init?() {
        guard let library = dlopen("libz.so.1", RTLD_NOW),
            let initialize = dlsym(library, "inflateInit2_"),
            let step = dlsym(library, "inflate"),
            let restart = dlsym(library, "inflateReset"),
            let finish = dlsym(library, "inflateEnd")
        else { return nil }
        self.initialize = unsafeBitCast(initialize, to: type(of: self.initialize))
        self.step = unsafeBitCast(step, to: type(of: self.step))
        self.restart = unsafeBitCast(restart, to: type(of: self.restart))
        self.finish = unsafeBitCast(finish, to: type(of: self.finish))
    }

    /// Decompresses as much as possible.
    ///
    /// - Returns: Whether the end has been reached; `nil` if the data is not valid.
    func inflate(_ stream: UnsafeMutablePointer<Stream>) -> Bool? {
        switch step(stream, 0) {
        case 0, -5: false  // Z_OK, and Z_BUF_ERROR: nothing more is possible now
        case 1: true  // Z_STREAM_END
        default: nil
        }
    }
}
#endif
