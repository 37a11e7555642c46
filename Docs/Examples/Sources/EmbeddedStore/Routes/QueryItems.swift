import Foundation

/// The decoded parameters of a query, in which `+` is a space.
struct QueryItems {
    private let items: [(name: String, value: String, text: Substring)]

    init(_ query: String) throws(Problem) {
        var items: [(name: String, value: String, text: Substring)] = []
        for text in query.split(separator: "&") {
            let parts = text.replacing("+", with: " ").split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard
                let name = parts[0].removingPercentEncoding,
                let value = parts.dropFirst().joined().removingPercentEncoding
            else {
                throw Problem(400, detail: "The query is not percent-encoded UTF-8.")
            }
            items.append((name, value, text))
        }
        self.items = items
    }

    /// The first value of the parameter with a name.
    subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// Returns all values of the parameter with a name.
    func values(of name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    /// Returns the query as sent, with a new value for one parameter.
    func query(setting name: String, to value: String) -> String {
        let others = items.filter { $0.name != name }.map { String($0.text) }
        return (others + ["\(name)=\(value)"]).joined(separator: "&")
    }
}
