import Foundation

/// The description of a failure in a JSON response body (RFC 9457).
///
/// All texts are those of the server, at most 4 KiB together. They are shown to users and appear in
/// the descriptions of errors: a server must not put secrets into them.
public struct ProblemDetails: Hashable, Sendable {
    /// The kind of problem, a URI reference; `about:blank` if the server does not specify it.
    public let type: String
    /// A short summary of the kind of problem.
    public let title: String?
    /// The status code of the response, even if the member has another value.
    package let status: Int
    /// The explanation of this occurrence of the problem.
    public let detail: String?
    /// The resource that the problem occurred with, a URI reference.
    public let instance: String?
    /// The invalid parts of the request body.
    public let errors: [Part]
    /// Whether the title is only the name of the status code (RFC 9457 §4.2.1).
    let isTitleOfStatus: Bool

    /// One invalid part of the request body.
    public struct Part: Hashable, Sendable {
        /// The explanation of what is invalid.
        public let detail: String
        /// The location of the part, a JSON Pointer (RFC 6901).
        public let pointer: String?
    }
}

extension ProblemDetails {
    /// Decodes the problem details of a response; `nil` if it has none or its status code is 2xx.
    ///
    /// Members of a wrong type are ignored (RFC 9457 §3.1). All texts together are limited to 4
    /// KiB; the rest is cut off.
    init?(_ response: NetworkResponse) {
        let mediaType = response.headers["Content-Type"]?.lowercased() ?? ""
        // The title of a product is not that of a problem.
        guard !(200..<300).contains(response.statusCode), mediaType.contains("json"),
            let document = try? JSONDecoder().decodeGuarded(Document.self, from: response.body),
            !document.isEmpty
        else { return nil }
        type = document.type ?? "about:blank"
        title = document.title
        status = response.statusCode
        detail = document.detail
        instance = document.instance
        errors = document.errors
        isTitleOfStatus = mediaType.contains("problem+json") && type == "about:blank"
    }

    /// Creates problem details from a backend's own format; its code becomes the ``type``.
    init(code: String?, message: String?, status: Int) {
        var remaining = Self.maximumSize
        type = code?.taking(from: &remaining) ?? "about:blank"
        detail = message?.taking(from: &remaining)
        self.status = status
        (title, instance, errors, isTitleOfStatus) = (nil, nil, [], false)
    }

    /// The maximum size of all texts of a problem together, in bytes.
    fileprivate static let maximumSize = NetworkError.maximumTextSize
    /// The maximum number of elements of `errors` that are read.
    fileprivate static let maximumPartCount = 100
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
        var remaining = ProblemDetails.maximumSize
        func text(_ member: Member) -> String? {
            (try? container.decode(String.self, forKey: member))?.taking(from: &remaining)
        }
        type = text(.type)
        instance = text(.instance)
        title = text(.title)
        detail = text(.detail)
        errors = []
        guard var parts = try? container.nestedUnkeyedContainer(forKey: .errors) else { return }
        while !parts.isAtEnd, parts.currentIndex < ProblemDetails.maximumPartCount, remaining > 0 {
            let part = try parts.decodeIfPresent(Part.self)
            guard let detail = part?.detail?.taking(from: &remaining) else { continue }
            let pointer = part?.pointer?.taking(from: &remaining)
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
