#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Foundation
import FoundationNetworking
import Glibc
import ProductKit
import Testing

/// The tests of ``CurlTransport`` that need no sockets.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CurlTransportTests {
    @Test(arguments: CurlOption.all.map { Option(name: $0.name, number: $0.number) })
    func `each option has the number that libcurl gives to its name`(option: Option) throws {
        let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "curl_easy_option_by_id"))
        let find = unsafeBitCast(
            symbol,
            to: (@convention(c) (UInt32) -> UnsafePointer<UnsafePointer<CChar>>?).self
        )

        // The name is the first member of the structure that libcurl returns.
        let name = try String(cString: #require(find(option.number)).pointee)
        #expect(name.filter(\.isLetter).lowercased() == option.name.lowercased())
    }

    @Test(arguments: [
        "Unsupported proxy syntax in 'http://anna:canary/x@proxy:8080'",
        "Unsupported proxy scheme for 'ftp://anna:canary@proxy'",
    ])
    func `the password of a proxy is no part of a failure`(text: String) {
        let error = NetworkError(.unreachable, underlying: CurlFailure(code: 5, text: text))

        var dumped = ""
        dump(error.underlying, to: &dumped)
        #expect(!error.debugDescription.contains("canary") && !dumped.contains("canary"))
        #expect(error.debugDescription.contains("libcurl error 5: Unsupported proxy"))
    }

    @Test func `the version of libcurl is at least 7.80`() throws {
        let transport = try CurlTransport()

        let numbers = transport.libraryVersion.split(separator: ".").compactMap { Int($0) }
        #expect(numbers.count == 3)
        #expect(!numbers.lexicographicallyPrecedes([7, 80, 0]))
    }

    @Test func `a request with a body stream is refused`() async throws {
        var request = try URLRequest(url: #require(URL(string: "http://127.0.0.1:1/")))
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("{}".utf8))
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")

        let error = await #expect(throws: NetworkError.self) {
            try await CurlTransport().response(for: request)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.debugDescription.contains("Use httpBody.") == true)
    }

    @Test func `plain http to another computer is refused before it is sent`() async throws {
        let request = try URLRequest(url: #require(URL(string: "http://shop.example/")))

        let error = await #expect(throws: NetworkError.self) {
            try await CurlTransport().response(for: request)
        }
        #expect(error?.code == .insecure)
    }
}

struct Option: Sendable {
    let name: String
    let number: UInt32
}
#endif
