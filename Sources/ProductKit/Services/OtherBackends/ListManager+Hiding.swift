import Foundation

extension ListManager {
    /// Returns a manager without the lists with a name, such as the one that stores the favorites;
    /// see ``ProductLoader/storingFavorites(inListNamed:of:)``.
    ///
    /// They are left out of the pages of ``lists(after:)``, which have no ``Page/total`` if there are several.
    /// The methods for one list still find them. The name is reserved: to create or rename a list throws
    /// ``ListError/reservedName(_:)`` for it, also with spaces around it, and sends nothing. Otherwise a list of
    /// the user would disappear, and its products would become the favorites. The comparison is case-sensitive.
    ///
    /// - Parameter name: The name of the lists.
    /// - Returns: A manager with the other lists.
    public func hidingLists(named name: String) -> ListManager {
        var manager = self
        manager.lists = { [lists] cursor, wanted in
            var page = try await lists(cursor, wanted)
            let count = page.items.count
            page.items.removeAll { $0.name == name }
            let hidden = count - page.items.count
            page.leaveOut(hidden)
            // Other pages may contain hidden lists, too. A total that does not count these is not valid.
            let isOnlyPage = cursor == nil && page.next == nil
            if let total = page.total {
                page.total = isOnlyPage && total >= hidden ? total - hidden : nil
            }
            return page
        }
        manager.checkName = { [checkName] newName in
            try checkName(newName)
            guard newName.trimmingCharacters(in: .whitespacesAndNewlines) != name else {
                throw ListError.reservedName(name)
            }
        }
        return manager
    }
}
