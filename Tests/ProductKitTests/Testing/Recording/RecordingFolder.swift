import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A recording in a temporary folder.
struct RecordingFolder {
    let file: URL
    var redaction = RecordingRedaction()
    var comparing: Set<String> = []

    /// The recording as text.
    var text: String {
        get throws { try String(contentsOf: file, encoding: .utf8) }
    }

    /// Records the exchanges of a test.
    func record(
        _ requests: URLRequest...,
        respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) async throws {
        let networking = try RecordedNetworking(
            file,
            recordingFrom: .closure(respond),
            comparing: comparing,
            redaction: redaction
        )
        for request in requests { _ = try? await networking.response(for: request) }
    }

    /// Creates networking that replays the recording.
    func replay() throws -> RecordedNetworking {
        try RecordedNetworking(file, redaction: redaction)
    }
}

/// Calls a closure with a recording that does not exist yet, and removes its folder afterwards.
func withRecording(_ body: (inout RecordingFolder) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    var recording = RecordingFolder(file: folder.appending(path: "Fixtures/shop.json"))
    try await body(&recording)
}

extension URLRequest {
    /// A request to a path of the API.
    static func to(
        _ path: String,
        _ method: String = "GET",
        body: String? = nil,
        type: String = "application/json",
        headers: [String: String] = [:]
    ) -> URLRequest {
        let url = URL(string: "https://api.example.com/v1/\(path)") ?? .api
        var request = URLRequest(method, url, headers: headers)
        guard let body else { return request }
        request.httpBody = Data(body.utf8)
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        return request
    }
}
