import Foundation
import ProductKit
import Testing

/// Edits fail on a full disk or without permission, and nothing that was saved is lost.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxFullDiskTests {
    // Rule: outbox/failed-save-leaves-nothing (21); outbox/empty-outbox-is-cut (33)
    @Test(.enabled(if: SmallDisk.isPermitted))
    func `a full disk fails edits, and keeps and sends those that were saved before`()
        async throws
    {
        try await SmallDisk.withSmallDisk { disk in
            try await FileManager.default.withTemporaryDirectory { parent in
                let probe = OutboxProbe(in: parent)
                let outbox = probe.outbox({ .isUnreachable }, in: disk)
                for number in 1...20 { try await probe.save(number, in: "a", with: outbox) }
                let ballast = disk.appending(path: "ballast")
                try fill(ballast)
                var failures: [OutboxError] = []
                for number in 21...400 {
                    do {
                        try await probe.save(number, in: "a", with: outbox)
                    } catch let error as OutboxError {
                        failures.append(error)
                    }
                }

                // The rest of the last page is still free.
                #expect(failures.count > 100)
                #expect(failures.allSatisfy { $0.code == .storageFailed && $0.number == ENOSPC })
                let saved = outbox.changes
                #expect(saved.count == probe.savedCount)
                await outbox.stop()

                // Nothing that was refused is found, and sending needs no free space.
                let reading = probe.outbox({ .isUnreachable }, in: disk)
                try await reading.open()
                #expect(reading.changes == saved)
                await reading.stop()
                let sending = probe.outbox({ .confirms }, in: disk)
                #expect(try await sending.sendAll() == 0)
                #expect(probe.receivedCount == saved.count)
                try FileManager.default.removeItem(at: ballast)
                try await probe.save(401, in: "a", with: sending)
                await sending.stop()
            }
        }
    }

    // Rule: outbox/opening-is-tried-again (14)
    @Test(.enabled(if: SmallDisk.isPermitted))
    func `edits fail while the disk is read-only, and succeed again afterwards`() async throws {
        try await SmallDisk.withSmallDisk { disk, setReadOnly in
            try await FileManager.default.withTemporaryDirectory { parent in
                let probe = OutboxProbe(in: parent)
                let saving = probe.outbox({ .isUnreachable }, in: disk)
                try await probe.save(1, in: "a", with: saving)
                await saving.stop()

                try setReadOnly(true)
                let outbox = probe.outbox({ .isUnreachable }, in: disk)
                await #expect(throws: OutboxError(.storageFailed, operation: "open", number: EROFS))
                {
                    try await probe.save(2, in: "a", with: outbox)
                }
                try setReadOnly(false)
                try await probe.save(3, in: "a", with: outbox)

                #expect(outbox.changes.count == 2)
                await outbox.stop()
            }
        }
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test(arguments: ["/proc/changes", "/dev/null/changes"])
    func `a directory that cannot be created fails edits`(path: String) async throws {
        let outbox = Outbox(directory: URL(filePath: path)).start(for: "anna") { _ in
            Outbox.Confirmation()
        }

        let error = await #expect(throws: OutboxError.self) {
            try await outbox.save(.setFavorite("x", to: true))
        }
        #expect(error?.code == .storageFailed && error?.operation == "open")
        #expect(outbox.changes.isEmpty)
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test func `a file in place of the directory fails edits and is left alone`() async throws {
        try await FileManager.default.withTemporaryDirectory { file in
            try Data("mine".utf8).write(to: file)
            let outbox = Outbox(directory: file).start(for: "anna") { _ in Outbox.Confirmation() }

            await #expect(throws: OutboxError(.storageFailed, operation: "open", number: ENOTDIR)) {
                try await outbox.save(.setFavorite("x", to: true))
            }
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
        }
    }

    // Rule: outbox/files-are-private (35)
    @Test func `only the owner has access to the folder and its files`() async throws {
        try await FileManager.default.withTemporaryDirectory { parent in
            let probe = OutboxProbe(in: parent)
            let first = probe.outbox { .isUnreachable }
            try await probe.save(1, in: "a", with: first)
            await first.stop()
            let files = FileManager.default.files(in: probe.directory)
            let folder = try #require(files.first).deletingLastPathComponent()
            // A folder that an earlier version or a backup has opened to others.
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: folder.path(percentEncoded: false)
            )
            let journal = try #require(files.first { $0.pathExtension == "journal" })
            try (Data(contentsOf: journal) + Data("garbage".utf8)).write(to: journal)

            let second = probe.outbox { .isUnreachable }
            try await probe.save(2, in: "a", with: second)
            await second.stop()

            #expect(try permissions(of: folder) == 0o700)
            let all = FileManager.default.files(in: probe.directory)
            #expect(Set(all.map(\.pathExtension)) == ["damaged", "journal", "lock"])
            for file in all { #expect(try permissions(of: file) == 0o600, "\(file)") }
        }
    }

    // Rule: outbox/removed-file-is-recreated (32)
    @Test func `the folder is made anew if it is removed while the outbox is open`() async throws {
        try await FileManager.default.withTemporaryDirectory { parent in
            let probe = OutboxProbe(in: parent)
            let outbox = probe.outbox { .isUnreachable }
            try await probe.save(1, in: "a", with: outbox)
            try FileManager.default.removeItem(at: probe.directory)
            try await probe.save(2, in: "a", with: outbox)
            await outbox.stop()

            let faults = try await probe.faults()
            #expect(faults == [])
            #expect(probe.receivedCount == 2)
        }
    }

    private func permissions(of url: URL) throws -> Int? {
        let path = url.path(percentEncoded: false)
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Writes a file until the disk is full.
    private func fill(_ file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var size = 65_536
        while size > 0 {
            let bytes = [UInt8](repeating: 1, count: size)
            if write(handle.fileDescriptor, bytes, size) <= 0 { size /= 2 }
        }
        try handle.close()
    }
}
