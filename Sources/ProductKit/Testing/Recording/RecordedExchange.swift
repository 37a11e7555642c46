/// A request and its response, or the failure of the transport, without secrets.
struct RecordedExchange: Sendable {
    let request: RecordedRequest
    let outcome: Result<RecordedResponse, RecordedFailure>

    init(request: RecordedRequest, outcome: Result<RecordedResponse, RecordedFailure>) {
        self.request = request
        self.outcome = outcome
    }

    /// Reads an exchange from a file; `nil` if the value is not one.
    init?(_ tree: JSONTree, redaction: RecordingRedaction) {
        guard let request = tree["request"].flatMap({ RecordedRequest($0, redaction: redaction) })
        else { return nil }
        self.request = request
        if let response = tree["response"].flatMap(RecordedResponse.init) {
            outcome = .success(response)
        } else if let failure = tree["failure"]?.string.flatMap(RecordedFailure.init) {
            outcome = .failure(failure)
        } else {
            return nil
        }
    }

    /// The value for a file.
    var tree: JSONTree {
        let result =
            switch outcome {
            case .success(let response): JSONTree.Member(name: "response", value: response.tree)
            case .failure(let failure):
                JSONTree.Member(name: "failure", value: .string(failure.code.rawValue))
            }
        return .object([JSONTree.Member(name: "request", value: request.tree), result])
    }
}
