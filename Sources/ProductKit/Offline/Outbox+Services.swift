import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension Outbox {
    /// Returns a closure that sends changes with a loader and a list manager.
    ///
    /// - Parameters:
    ///   - loader: Changes favorite statuses. It must not be one of ``ProductLoader/offline(_:)``.
    ///   - listManager: Changes lists. It must not be one of
    ///     ``ListManager/offline(_:)``.
    /// - Returns: The closure, for ``start(for:sending:)``.
    public static func sending(_ loader: ProductLoader, _ listManager: ListManager) -> Sending {
        { change in
            switch change.edit {
            case .setFavorite(let id, let status):
                let product = try await loader.setFavoriteStatus(status, forProductWithID: id)
                return Confirmation(product: product)
            case .addProduct(let id, let list):
                try await listManager.addProduct(withID: id, toListWithID: list)
            case .removeProduct(let id, let list):
                try await listManager.removeProduct(withID: id, fromListWithID: list)
            case .createList(let id, let name):
                return Confirmation(list: try await listManager.createList(named: name, id: id))
            case .renameList(let id, let name):
                return Confirmation(list: try await listManager.renameList(withID: id, to: name))
            case .deleteList(let id):
                try await listManager.deleteList(withID: id)
            }
            return Confirmation()
        }
    }
}

extension ProductLoader {
    /// Returns a loader that saves each change of a favorite status in an outbox.
    ///
    /// ``setFavoriteStatus(_:forProductWithID:)`` returns what the server returns for the next attempt,
    /// so it behaves the same online. If the change must be sent later, it throws ``SavedForLater``.
    /// Behaviors that ``with(behaviors:)`` adds to the result apply to its reads only.
    ///
    /// - Parameter outbox: The outbox, which must have been started with the original loader.
    /// - Returns: A loader with the same reads.
    public func offline(_ outbox: Outbox) -> ProductLoader {
        var loader = self
        loader.setFavorite = { id, status in
            try await outbox.perform(.setFavorite(id, to: status)).product
        }
        return loader
    }
}

extension ListManager {
    /// Returns a manager that saves each change of a list in an outbox.
    ///
    /// The methods return what the server returns for the next attempt, so they behave the same online.
    /// If the change must be sent later, they throw ``SavedForLater``. A list that is renamed only if
    /// it is unchanged is never saved: its version would not be current any longer.
    ///
    /// New lists are saved if the outbox does; see ``Outbox/savesNewLists``.
    ///
    /// - Parameter outbox: The outbox, which must have been started with the original manager.
    /// - Returns: A manager with the same reads.
    public func offline(_ outbox: Outbox) -> ListManager {
        var manager = self
        manager.addProduct = { id, list in try await outbox.perform(.addProduct(id, toList: list)) }
        manager.removeProduct = { id, list in
            try await outbox.perform(.removeProduct(id, fromList: list))
        }
        manager.deleteList = { id in try await outbox.perform(.deleteList(id)) }
        manager.renameList = { [renameList] id, name, version in
            guard version == nil else { return try await renameList(id, name, version) }
            let list = try await outbox.perform(.renameList(id, name: name)).list
            return list ?? ProductList(id: id, name: name)
        }
        guard outbox.savesNewLists else { return manager }
        manager.createList = { id, name in
            let list = try await outbox.perform(.createList(id, name: name)).list
            return list ?? ProductList(id: id, name: name)
        }
        return manager
    }
}

/// A behavior that adds an `Idempotency-Key` to each unsafe request that an ``Outbox`` sends.
///
/// The key consists of the identifier of the change and a checksum of the request, so it is the same
/// when the change is sent again, also after a restart. A server that returns its first response for a key that
/// it knows carries out a change once, although the response was lost: then a later change of another
/// device is not undone.
///
/// After a complete response with a server error (5xx), the next attempt has another key. Otherwise a
/// server that repeats its first response for a known key would repeat the error. After 502 and 504
/// the key stays, because a gateway has lost the response of the server (RFC 9110 §15.6). It always
/// stays for the creation of a list.
///
/// A ``ProductService`` with an outbox has this behavior. Place it outside of ``RetryBehavior``. Other
/// requests, and those that have a key already, are sent unchanged.
public struct OutboxKeyBehavior: RequestBehavior {
    /// The number of complete responses with a server error to the change of the current task.
    @TaskLocal static var number = 0

    /// Creates a behavior.
    public init() {}

    /// Adds the key of the current change to an unsafe request.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard let change = Outbox.Change.current, !request.isSafe, !request.isRead,
            request.value(forHTTPHeaderField: "Idempotency-Key") == nil
        else { return try await next(request) }
        var request = request
        let suffix = Self.number == 0 ? "" : "-\(Self.number)"
        try request.add(["Idempotency-Key": "\(change.id)-\(request.checksum)\(suffix)"])
        return try await next(request)
    }
}

extension URLRequest {
    /// A checksum of the method, the URL and the body, in 16 hexadecimal digits.
    fileprivate var checksum: String {
        var sum = UInt64.checksum(of: method)
        sum = .checksum(of: url?.absoluteString ?? "", startingWith: sum)
        sum = (httpBody ?? Data()).withUnsafeBytes { .checksum(of: $0, startingWith: sum) }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
