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

    /// Decodes the problem details of a response; `nil` if it has none or its status code is 2xx.
    ///
    /// Members of a wrong type are ignored (RFC 9457 §3.1). Texts that exceed the limit are cut off.
    init?(_ response: NetworkResponse) {
        let mediaType = response.headers["Content-Type"]?.lowercased() ?? ""
        // A response 2xx has no problem: its `title` may be that of a product.
        guard !(200..<300).contains(response.statusCode), mediaType.contains("json"),
            let text = try? response.body.checkedJSON(),
            let document = try? JSONDecoder().decode(Document.self, from: text),
            !document.texts.isEmpty || !document.errors.isEmpty
        else { return nil }
        type = document.texts[.type] ?? "about:blank"
        title = document.texts[.title]
        status = response.statusCode
        detail = document.texts[.detail]
        instance = document.texts[.instance]
        errors = document.errors
        isTitleOfStatus = mediaType.contains("problem+json") && type == "about:blank"
    }

    /// Creates problem details from a backend's own format; its code becomes the ``type``.
    init(code: String?, message: String?, status: Int) {
        var remaining = NetworkError.maximumTextSize
        type = code?.taking(from: &remaining) ?? "about:blank"
        detail = message?.taking(from: &remaining)
        self.status = status
        (title, instance, errors, isTitleOfStatus) = (nil, nil, [], false)
    }
}

private struct Document: Decodable {
    enum Member: String, CodingKey {
        case type, title, detail, instance, errors, pointer
    }

    /// The maximum number of elements of `errors` that are read.
    private static let maximumPartCount = 100

    private(set) var texts: [Member: String] = [:]
    private(set) var errors: [ProblemDetails.Part] = []

    init(from decoder: any Decoder) throws {
        let document = try decoder.container(keyedBy: Member.self)
        var remaining = NetworkError.maximumTextSize
        func text(_ member: Member, in object: KeyedDecodingContainer<Member>?) -> String? {
            (try? object?.decode(String.self, forKey: member))?.taking(from: &remaining)
        }
        // Identifiers come first: unlike a text, they are useless if they are cut off.
        for member in [Member.type, .instance, .title, .detail] {
            texts[member] = text(member, in: document)
        }
        guard var parts = try? document.nestedUnkeyedContainer(forKey: .errors) else { return }
        while !parts.isAtEnd, parts.currentIndex < Self.maximumPartCount, remaining > 0 {
            let part = try parts.superDecoder()
            let object = try? part.container(keyedBy: Member.self)
            guard let detail = text(.detail, in: object) else { continue }
            errors.append(ProblemDetails.Part(detail: detail, pointer: text(.pointer, in: object)))
        }
    }
}
