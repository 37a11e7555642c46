import Foundation

/// What a server tells about a failure in a body of type `application/problem+json` (RFC 9457).
public struct ProblemDetails: Hashable, Sendable {
    /// What kind of problem it is, as a URI reference; `about:blank` when the server does not say.
    public let type: String
    /// The kind of problem in a few words.
    public let title: String?
    /// The status that was sent with it; the answer's own status wins over the member's.
    public let status: Int
    /// What happened this time.
    public let detail: String?
    /// Which thing it happened to, as a URI reference.
    public let instance: String?
    /// What was wrong with the request's body, part by part.
    public let errors: [Part]

    /// One thing that was wrong with the request's body.
    public struct Part: Hashable, Sendable {
        /// What was wrong.
        public let detail: String
        /// Where, as a JSON Pointer (RFC 6901).
        public let pointer: String?
    }
}

extension ProblemDetails {
    /// Reads the problem in an answer; `nil` when it holds none.
    ///
    /// Members of a wrong type count as missing (RFC 9457 §3.1). Together the texts hold at most
    /// 4 KiB; what goes beyond is cut off.
    init?(_ response: NetworkResponse) {
        guard response.headers["Content-Type"]?.lowercased().contains("json") == true,
            let document = try? JSONDecoder().decodeGuarded(Document.self, from: response.body),
            !document.isEmpty
        else { return nil }
        type = document.type ?? "about:blank"
        title = document.title
        status = response.statusCode
        detail = document.detail
        instance = document.instance
        errors = document.errors
    }

    /// What a backend told in words of its own: its code stands as the ``type``.
    init(code: String?, message: String?, status: Int) {
        var room = Self.maximumSize
        type = code?.taking(from: &room) ?? "about:blank"
        detail = message?.taking(from: &room)
        self.status = status
        title = nil
        instance = nil
        errors = []
    }

    /// How many bytes all texts of a problem have together at most.
    fileprivate static let maximumSize = 4_096
}

private struct Document: Decodable {
    var type: String?
    var title: String?
    var detail: String?
    var instance: String?
    var errors: [ProblemDetails.Part]

    private enum Member: String, CodingKey {
        case type, title, detail, instance, errors, pointer
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        var room = ProblemDetails.maximumSize
        func text(_ member: Member) -> String? {
            (try? container.decode(String.self, forKey: member))?.taking(from: &room)
        }
        type = text(.type)
        instance = text(.instance)
        title = text(.title)
        detail = text(.detail)
        errors = []
        for part in (try? container.decode([Part?].self, forKey: .errors)) ?? [] where room > 0 {
            guard let detail = part?.detail?.taking(from: &room) else { continue }
            let pointer = part?.pointer?.taking(from: &room)
            errors.append(ProblemDetails.Part(detail: detail, pointer: pointer))
        }
    }

    var isEmpty: Bool {
        [type, title, detail, instance].allSatisfy { $0 == nil } && errors.isEmpty
    }

    private struct Part: Decodable {
        var detail: String?
        var pointer: String?

        init(from decoder: any Decoder) throws {
            let container = try? decoder.container(keyedBy: Member.self)
            detail = try? container?.decode(String.self, forKey: .detail)
            pointer = try? container?.decode(String.self, forKey: .pointer)
        }
    }
}

extension String {
    /// As many characters from the front as the room has bytes for, which are used up.
    fileprivate func taking(from room: inout Int) -> String {
        var text = prefix(room)
        while text.utf8.count > room { text.removeLast() }
        room -= text.utf8.count
        return String(text)
    }
}
