#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
/// The options of libcurl that the transport sets, in one type for each C type of their values.
///
/// A value of a wrong C type would corrupt memory, so ``CurlLibrary`` compares the type of each
/// option with the one that the loaded libcurl reports. The raw values are those of `curl.h`, which
/// never change.
package enum CurlOption {
    /// The options with a number or a switch (`long`).
    enum Integer: UInt32, CaseIterable {
        case noBody = 44
        case postFieldSize = 60
        case freshConnect = 74
        case httpVersion = 84
        case noSignal = 99
        case sslSessionIDCache = 150
        case certInfo = 172
        case protocols = 181
        case pathAsIs = 234
        case suppressConnectHeaders = 265
        case quickExit = 322
    }

    /// The options with a text, which libcurl copies (`const char *`).
    enum Text: UInt32, CaseIterable {
        case url = 10002
        case customRequest = 10036
        case caInfo = 10065
        case caPath = 10097
        case noProxy = 10177
    }

    /// The options with a list of texts, which libcurl does not copy (`struct curl_slist *`).
    enum List: UInt32, CaseIterable {
        case httpHeader = 10023
    }

    /// The options with data (`void *`): of the body, which libcurl copies, and of errors, which it
    /// writes.
    enum Object: UInt32, CaseIterable {
        case errorBuffer = 10010
        case copyPostFields = 10165
    }

    /// The options with the context of a callback (`void *`).
    enum Context: UInt32, CaseIterable {
        case writeData = 10001
        case headerData = 10029
        case openSocketData = 10164
        case closeSocketData = 10209
        case prereqData = 10313
    }

    /// An option with a callback, which is a C function.
    protocol Callback: RawRepresentable<UInt32> {
        associatedtype Function
    }

    /// The options with a callback that receives data.
    enum DataCallback: UInt32, CaseIterable, Callback {
        typealias Function = CurlLibrary.DataCallback
        case writeFunction = 20011
        case headerFunction = 20079
    }

    /// The options with a callback that is called before a request is sent.
    enum RequestCallback: UInt32, CaseIterable, Callback {
        typealias Function = CurlLibrary.RequestCallback
        case prereqFunction = 20312
    }

    /// The options with a callback that opens a socket.
    enum OpenSocketCallback: UInt32, CaseIterable, Callback {
        typealias Function = CurlLibrary.OpenSocketCallback
        case openSocketFunction = 20163
    }

    /// The options with a callback that closes a socket.
    enum CloseSocketCallback: UInt32, CaseIterable, Callback {
        typealias Function = CurlLibrary.CloseSocketCallback
        case closeSocketFunction = 20208
    }

    /// Every option: its name, its raw value, and the types (`curl_easytype`) that its value fits.
    package static let all: [(name: String, number: UInt32, types: ClosedRange<UInt32>)] =
        entries(Integer.self, 0...1) + entries(Object.self, 3...3)
        + entries(Text.self, 4...4) + entries(List.self, 5...5) + entries(Context.self, 6...6)
        + entries(DataCallback.self, 8...8) + entries(RequestCallback.self, 8...8)
        + entries(OpenSocketCallback.self, 8...8) + entries(CloseSocketCallback.self, 8...8)

    private static func entries<Option: CaseIterable & RawRepresentable<UInt32>>(
        _: Option.Type,
        _ types: ClosedRange<UInt32>
    ) -> [(name: String, number: UInt32, types: ClosedRange<UInt32>)] {
        Option.allCases.map { ("\($0)", $0.rawValue, types) }
    }
}
#endif
