import Foundation

/// The list that a client sends to create or rename one.
struct ListDraft {
    let name: String

    init(_ request: StoreRequest) throws(Problem) {
        let type = request.header("Content-Type")?.split(separator: ";").first ?? ""
        guard type.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
            throw Problem(415, detail: "The Content-Type must be application/json.")
        }
        let body = request.body
        guard let json = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        else {
            throw Problem(400, detail: "The body is not valid JSON.")
        }
        guard let members = json as? [String: Any] else {
            throw .invalid("The body must be an object.", at: "")
        }
        guard let member = members["name"], !(member is NSNull) else {
            throw .invalid("A name is required.", at: "/name")
        }
        guard let name = member as? String else {
            throw .invalid("The name must be a string.", at: "/name")
        }
        guard (1...200).contains(name.unicodeScalars.count) else {
            throw .invalid("The name must have 1 to 200 characters.", at: "/name")
        }
        self.name = name
    }
}
