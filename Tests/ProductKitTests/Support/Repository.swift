import Foundation

/// The files of the repository, for the tests that check its text.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let sources = root.appending(path: "Sources/ProductKit")

    /// The files below a folder of the repository, sorted by path, or the file at that path.
    ///
    /// Build products, which are in folders such as `.build`, are left out.
    static func files(in path: String, withExtensions extensions: Set<String>) -> [URL] {
        let folder = root.appending(path: path)
        let keys: [URLResourceKey] = [.isDirectoryKey]
        guard
            (try? folder.resourceValues(forKeys: Set(keys)).isDirectory) == true,
            let contents = FileManager.default.enumerator(
                at: folder,
                includingPropertiesForKeys: keys
            )
        else { return [folder] }
        var files: [URL] = []
        for case let file as URL in contents {
            if file.lastPathComponent.hasPrefix(".build") {
                contents.skipDescendants()
            } else if extensions.contains(file.pathExtension) {
                files.append(file)
            }
        }
        return files.sorted { $0.path() < $1.path() }
    }

    /// The test files of all packages in the repository.
    static func testFiles() -> [URL] {
        (files(in: "Tests", withExtensions: ["swift"])
            + files(in: "Docs", withExtensions: ["swift"]))
            .filter { $0.pathComponents.dropFirst(root.pathComponents.count).contains("Tests") }
    }

    /// The path of a file relative to the root, such as `Docs/RULES.md`.
    static func path(of file: URL) -> String {
        file.pathComponents.dropFirst(root.pathComponents.count).joined(separator: "/")
    }
}
