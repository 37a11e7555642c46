import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct SystemTransportTests {
    @Test func `CurlTransport is used where it is available`() async throws {
        let transport = transport(curl: { (reply(201), "8.5.0") })

        #expect("\(transport)" == "CurlTransport (libcurl 8.5.0)")
        #expect(try await transport.response(for: request).statusCode == 201)
    }

    @Test(arguments: [nil, CocoaError(.featureUnsupported)])
    func `URLSessionTransport is used if CurlTransport is unavailable, with the reason`(
        error: CocoaError?
    ) async throws {
        let transport = transport(curl: {
            if let error { throw error }
            return nil
        })

        let reason = error.map { ". \($0.localizedDescription)" } ?? ""
        #expect("\(transport)" == "URLSessionTransport" + reason)
        #expect(try await transport.response(for: request).statusCode == 202)
    }

    @Test(arguments: [("URLSession", 202), ("urlsession", 202), ("CurlTransport", 201), ("", 201)])
    func `the environment can select URLSession`(value: String, statusCode: Int) async throws {
        let transport = transport(
            environment: ["PRODUCTKIT_TRANSPORT": value],
            curl: { (reply(201), "8.5.0") }
        )

        #expect(try await transport.response(for: request).statusCode == statusCode)
        #expect(transport.description.contains("PRODUCTKIT_TRANSPORT") == (statusCode == 202))
    }

    @Test func `an invalid request is refused by the shared transport before it is sent`() async {
        let request = URLRequest(url: URL(filePath: "/etc/passwd"))

        let error = await #expect(throws: NetworkError.self) {
            try await SystemTransport.system.response(for: request)
        }
        #expect(error?.code == .invalidRequest)
    }

    private let request = URLRequest(url: URL(filePath: "/"))

    private func transport(
        environment: [String: String] = [:],
        curl: () throws -> (transport: any Networking, version: String)?
    ) -> SystemTransport {
        SystemTransport(
            environment: environment,
            makeCurlTransport: curl,
            makeURLSessionTransport: { reply(202) }
        )
    }
}

private func reply(_ statusCode: Int) -> any Networking {
    .closure { _ in NetworkResponse(statusCode: statusCode) }
}
