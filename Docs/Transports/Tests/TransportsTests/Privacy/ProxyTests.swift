#if os(Linux) && canImport(Glibc)
import FaultServer
import Foundation
import FoundationNetworking
import ProductKit
import Testing

/// Proxies of environment variables, which libcurl reads when a request is sent.
@Suite(.timeLimit(.minutes(5))) struct ProxyTests {
    // Rule: security/no-proxy-for-this-computer (43)
    @Test func `a request to this computer is not sent to a proxy`() async {
        await #expect(processExitsWith: .success) {
            for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            try await withFaultServer(.validResponse) { _, url in
                let response = try await CurlTransport().response(for: .to(url))
                guard response.statusCode == 200 else { throw NetworkError(response) }
            }
        }
    }

    @Test func `a request to another computer is sent to the proxy`() async {
        await #expect(processExitsWith: .success) {
            for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
            try await withFaultServer(.validResponse) { server, proxy in
                setenv("http_proxy", "http://127.0.0.1:\(proxy.port ?? 0)", 1)
                let url = URL(string: "http://shop.example/v1") ?? proxy
                let transport = try CurlTransport(allowsInsecureHTTP: true)
                let response = try await transport.response(for: .to(url))
                guard response.statusCode == 200, server.requests.count == 1 else {
                    throw NetworkError(response)
                }
            }
        }
    }
}
#endif
