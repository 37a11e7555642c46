import Foundation

extension NetworkError {
    /// Creates the error for a response that is not a success, from members of a backend's own format.
    ///
    /// ```swift
    /// let client = NetworkClient(
    ///     baseURL: api,
    ///     networking: networking,
    ///     failure: { response in
    ///         NetworkError(
    ///             response,
    ///             message: "error.text",
    ///             code: "error.id",
    ///             codes: ["stale": .conflict]
    ///         )
    ///     }
    /// )
    /// ```
    ///
    /// Members that are missing or of another type are ignored. Without any, the body is read as problem details (RFC 9457).
    ///
    /// - Parameters:
    ///   - response: A response whose status code is not between 200 and 299.
    ///   - message: The paths of the message, such as `errors[0].message`. The first found is the `detail` of ``problem``.
    ///   - fieldMessages: The path of the messages for invalid fields, which come before `message`: an array of
    ///     strings, or an object with a string or an array of them for each field, such as `{"sku": ["Unknown."]}`.
    ///     They are joined, sorted by the names of the fields, of which the first hundred are read.
    ///   - code: The path of the backend's code, a string or an integer. It becomes the `type` of ``problem``.
    ///   - codes: The meanings of the backend's codes. For others the status code decides, as in ``init(_:)``.
    ///   - hiddenCodes: The backend's codes whose messages are not for users, who read a text of the library.
    public init(
        _ response: NetworkResponse,
        message: MemberPath...,
        fieldMessages: MemberPath? = nil,
        code: MemberPath? = nil,
        codes: [String: Code] = [:],
        hidingMessagesOf hiddenCodes: Set<String> = []
    ) {
        self.init(response, code: code, codes: codes) { response in
            if let code = code.flatMap(response.text), hiddenCodes.contains(code) { return "" }
            return fieldMessages.flatMap(response.texts)
                ?? message.lazy.compactMap(response.text).first
        }
    }

    /// Creates the error for a response that is not a success, with a message from a closure.
    ///
    /// Use it for messages that are not for users, or that no path leads to. The closure returns the `detail` of
    /// ``problem``: `nil` if the response has no message, and an empty text if its message is not for users. The other
    /// parameters are those of ``init(_:message:fieldMessages:code:codes:hidingMessagesOf:)``.
    public init(
        _ response: NetworkResponse,
        code: MemberPath? = nil,
        codes: [String: Code] = [:],
        message: (NetworkResponse) -> String?
    ) {
        self.init(
            response,
            details: (code: code.flatMap(response.text), message: message(response)),
            codes: codes,
            default: NetworkError(response)
        )
    }

    /// Creates an error with the code and message that were found in a response, or else those of `error`.
    init(
        _ response: NetworkResponse,
        details: (code: String?, message: String?),
        codes: [String: Code],
        default error: NetworkError
    ) {
        if details == (nil, nil) {
            self = error
        } else {
            let code = details.code.flatMap { codes[$0] } ?? error.code
            let problem = ProblemDetails(
                code: details.code,
                message: details.message.flatMap { $0.isEmpty ? nil : $0 },
                status: response.statusCode
            )
            self.init(code, request: nil, response: response, problem: problem)
        }
    }
}

extension NetworkResponse {
    /// The string or integer at a path of the body, as text; `nil` for anything else.
    func text(at path: MemberPath) -> String? {
        (try? json(Identifier<NetworkError>.self, at: path))?.rawValue
    }

    /// The texts in an array or an object at a path of the body, each a sentence; `nil` without any.
    fileprivate func texts(at path: MemberPath) -> String? {
        let texts = ((try? json(Texts.self, at: path))?.all ?? []).filter { !$0.isEmpty }
        let sentences = texts.map { $0.last?.isPunctuation == true ? $0 : $0 + "." }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

/// The strings in an array, or in an object with a string or an array of strings for each member.
private struct Texts: Decodable {
    let all: [String]

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: MemberName.self) {
            // A user reads some of them at most, and each member that is no text takes time.
            let names = members.allKeys.sorted { $0.stringValue < $1.stringValue }.prefix(100)
            all = names.flatMap { (try? members.decode(Elements.self, forKey: $0).texts) ?? [] }
        } else {
            all = try decoder.singleValueContainer().decode(Elements.self).texts
        }
    }

    /// A string, or an array of strings; other values have no texts.
    private struct Elements: Decodable {
        let texts: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                texts = [text]
            } else {
                texts = (try? value.decode(Page<String>.self).items) ?? []
            }
        }
    }
}
