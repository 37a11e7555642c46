import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The parts of a request by which a recorded exchange is found, without secrets.
struct RecordedRequest: Sendable {
    let method: String
    let url: String
    /// The compared header fields; a field that the request does not have is left out.
    let headers: [JSONTree.Member]
    let body: RecordedBody?

    /// Creates the parts of a request.
    init(_ request: URLRequest, comparing names: [String], redaction: RecordingRedaction) {
        method = request.method
        url = redaction.url(request.url?.absoluteString ?? "")
        headers = names.compactMap { name in
            request.value(forHTTPHeaderField: name).map { value in
                let value = redaction.field(name, value) ?? RecordingRedaction.placeholder
                return JSONTree.Member(name: name, value: .string(value))
            }
        }
        body = RecordedBody(
            request.httpBody ?? Data(),
            mediaType: request.value(forHTTPHeaderField: "Content-Type"),
            redaction: redaction
        )
    }

    /// Reads the parts from a file; `nil` if the value is not a request.
    ///
    /// They are redacted again, because the rules may have changed since they were recorded.
    init?(_ tree: JSONTree, redaction: RecordingRedaction) {
        guard let method = tree["method"]?.string, let url = tree["url"]?.string else { return nil }
        guard let headers = tree.recordedHeaders, let body = RecordedBody.optional(in: tree) else {
            return nil
        }
        self.method = method
        self.url = redaction.url(url)
        self.headers = headers.map { header in
            let value = redaction.field(header.name, header.value.string ?? "")
            return JSONTree.Member(
                name: header.name,
                value: .string(value ?? RecordingRedaction.placeholder)
            )
        }
        self.body = body?.redacted(by: redaction)
    }

    /// The value for a file.
    var tree: JSONTree {
        var members = [
            JSONTree.Member(name: "method", value: .string(method)),
            JSONTree.Member(name: "url", value: .string(url)),
        ]
        if !headers.isEmpty {
            members.append(JSONTree.Member(name: "headers", value: .object(headers)))
        }
        return .object(members + (body.map { [$0.member] } ?? []))
    }

    /// The method and the URL.
    var line: String { "\(method) \(url)" }
}

extension URLRequest {
    /// Throws an error if the body of the request cannot be compared.
    func validateForRecording() throws {
        guard httpBodyStream == nil else {
            throw NetworkError(
                .invalidRequest,
                request: self,
                reason: "The body of a stream cannot be recorded or compared. Use httpBody."
            )
        }
    }
}

extension JSONTree {
    /// The header fields of a recorded message; `nil` if they are damaged.
    var recordedHeaders: [Member]? {
        guard let headers = self["headers"] else { return [] }
        guard let members = headers.members, members.allSatisfy({ $0.value.string != nil }) else {
            return nil
        }
        return members
    }

    /// The members of an object; `nil` for other values.
    var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}
