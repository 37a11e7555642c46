import Foundation

/// Creates lists whose identifiers the server assigns, as ``ListManager/findingCreatedLists()`` describes.
final class ListCreations: Sendable {
    private let lists: ListManager

    private struct State {
        /// The lists that existed before each creation whose outcome is not known, by the identifier that the client
        /// has chosen.
        var earlier: [ProductList.ID: Set<ProductList.ID>] = [:]
        /// The lists that were created, which no other creation may find.
        var created: Set<ProductList.ID> = []
    }

    private let state = Locked(State())
    private let creations = KeyedLock<String>()

    init(lists: ListManager) {
        self.lists = lists
    }

    /// Creates a list, unless an earlier call with the same identifier has created it.
    ///
    /// Creations with the same name are carried out one after another. Otherwise one whose response is lost
    /// could find the list of another one whose response has not arrived yet.
    func list(
        _ id: ProductList.ID,
        named name: String,
        create: () async throws -> EditOutcome<ProductList>
    ) async throws -> EditOutcome<ProductList> {
        // The server may trim the name.
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        return try await creations.withLock(name) {
            try await foundOrCreated(id, named: name, create)
        }
    }

    private func foundOrCreated(
        _ id: ProductList.ID,
        named name: String,
        _ create: () async throws -> EditOutcome<ProductList>
    ) async throws -> EditOutcome<ProductList> {
        let isRepeated = state.withLock { $0.earlier[id] != nil }
        let existing = try await lists.allLists(named: name).items
        if isRepeated, let list = found(named: name, in: existing, for: id) {
            return .confirmed(list)
        }
        if !isRepeated { setEarlier(existing, of: id) }
        do {
            // The server need not recognize a key, because the lists show whether it has created one.
            let outcome = try await ServiceOperation.write(ignoringKeys: true) {
                try await create()
            }
            if let list = outcome.confirmation { finish(id, with: list) }
            return outcome
        } catch {
            guard error.mayHaveReachedServer else {
                if !isRepeated { setEarlier(nil, of: id) }
                throw error
            }
            guard !Task.isCancelled, let existing = try? await lists.allLists(named: name).items,
                let list = found(named: name, in: existing, for: id)
            else { throw error }
            return .confirmed(list)
        }
    }

    private func setEarlier(_ lists: [ProductList]?, of id: ProductList.ID) {
        state.withLock { $0.earlier[id] = lists.map { Set($0.map(\.id)) } }
    }

    /// Finds the list that a creation has made, and finishes it.
    private func found(
        named name: String,
        in existing: [ProductList],
        for id: ProductList.ID
    ) -> ProductList? {
        let list = state.withLock { state in
            existing.first { list in
                list.name.trimmingCharacters(in: .whitespacesAndNewlines) == name
                    && state.earlier[id]?.contains(list.id) == false
                    && !state.created.contains(list.id)
            }
        }
        if let list { finish(id, with: list) }
        return list
    }

    private func finish(_ id: ProductList.ID, with list: ProductList) {
        state.withLock { state in
            state.earlier[id] = nil
            state.created.insert(list.id)
        }
    }
}
