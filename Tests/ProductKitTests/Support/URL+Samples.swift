import Foundation

extension URL {
    /// Where the API of the tests lives.
    static let api = URL(string: "https://api.example.com/v1") ?? URL(filePath: "/")
}
