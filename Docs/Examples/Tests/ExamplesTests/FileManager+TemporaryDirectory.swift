import Foundation

/// Runs a body with a directory for a cache, and removes it afterwards.
func withCacheDirectory(_ body: (URL) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url)
}

/// The files below a directory, whatever they are called.
func files(in directory: URL) -> [URL] {
    let urls = FileManager.default.enumerator(
        at: directory,
        includingPropertiesForKeys: [.isDirectoryKey]
    )
    return (urls?.compactMap { $0 as? URL } ?? []).filter {
        (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) != true
    }
}
