import Foundation

extension FileManager {
    /// Passes the URL of a temporary directory to the body, and removes the directory afterwards.
    ///
    /// The directory does not exist until the body creates it.
    func withTemporaryDirectory(_ body: (URL) async throws -> Void) async throws {
        let url = temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? removeItem(at: url) }
        try await body(url)
    }

    /// The files in a directory and its subdirectories, hidden files included.
    func files(in directory: URL) -> [URL] {
        let urls = enumerator(at: directory, includingPropertiesForKeys: [.isDirectoryKey])
        return (urls?.compactMap { $0 as? URL } ?? []).filter {
            (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) != true
        }
    }
}
