import Foundation
import ProductKit
import Synchronization
import Testing

/// The code of “Edits that survive: the outbox”, and of the comments of `Outbox` and its types.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OfflineSamples {
    private let id: Product.ID = "walking-boots"
    private let euros = LocalUser(currency: "EUR")
    private let token = "demo-token"
    private let api: URL
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws {
        api = try #require(URL(string: "https://api.example.com/v1"))
    }

    // MARK: - Wiring

    @Test func `a service accepts an outbox`() async {
        let edits = folder
        let service = ProductService(
            baseURL: api,
            localUser: euros,
            user: .signedIn("anna") { token },
            outbox: Outbox(directory: edits)
        )

        #expect(service.outbox?.changes.isEmpty == true)
        await removeFolder(of: service)
    }

    @Test func `the directory is in Application Support`() throws {
        let support = try FileManager.default.url(
            for: .applicationSupportDirectory,
            in: .userDomainMask,
            appropriateFor: nil,
            create: false
        )
        let edits = support.appending(path: "Edits")

        #expect(edits.lastPathComponent == "Edits")
    }

    @Test func `a service accepts a cache and an outbox`() async {
        let (caches, edits) = (folder.appending(path: "caches"), folder.appending(path: "edits"))

        let service = ProductService(
            baseURL: api,
            localUser: euros,
            user: .signedIn("anna") { token },
            cache: ResponseCache(directory: caches),
            outbox: Outbox(directory: edits)
        )

        #expect(service.outbox?.rejections.isEmpty == true)
        await removeFolder(of: service)
    }

    // MARK: - Offline

    @MainActor @Test func `an edit that is made offline is shown, also after a restart`()
        async throws
    {
        let storage = OutboxStorage.inMemory()
        let boots = Product(id: id, name: "Walking Boots")
        func launch() -> ProductService { offlineService(Outbox(storage: { _ in storage })) }

        let screen = launch().viewModel(for: boots)
        try await screen.toggleProductFavoriteStatus()

        #expect(screen.isFavorite)
        #expect(screen.isFavoriteUnsent)
        #expect(screen.lastError == nil)

        let service = launch()
        try await service.outbox?.open()

        let screenAfterRestart = service.viewModel(for: boots)
        #expect(screenAfterRestart.isFavorite)
        #expect(screenAfterRestart.isFavoriteUnsent)
    }

    @MainActor @Test func `an edit that the server refuses is reported until it is dismissed`()
        async throws
    {
        let saved = Outbox()
        let former = saved.start(for: "anna") { _ in throw NetworkError(.forbidden) }
        try await former.save(.setFavorite(id, to: true))
        try await former.save(.deleteList("winter"))
        try await former.sendAll()
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        func isWorthAnotherAttempt(_ rejection: Outbox.Rejection) -> Bool {
            rejection.change.edit == .deleteList("winter")
        }
        let outbox = saved.start(for: "anna") { _ in throw NetworkError(.unreachable) }

        for rejection in outbox.rejections {
            if isWorthAnotherAttempt(rejection) {
                try await outbox.resend(rejection.id)
            } else {
                show(rejection.message)
                outbox.dismiss(rejection.id)
            }
        }

        #expect(shown.count == 1)
        #expect(outbox.rejections.isEmpty)
        #expect(outbox.changes.map(\.edit) == [.deleteList("winter")])
    }

    @Test func `events report each change`() async throws {
        let outbox = Outbox()
        let lines = Lines()
        func log(_ text: String) { lines.add(text) }
        let session = outbox.start(for: "anna") { _ in Outbox.Confirmation() }
        let events = session.events()
        _ = try await session.perform(.setFavorite(id, to: true))
        await session.stop()

        for await event in events {
            switch event {
            case .sent(let change): log("sent: \(change.edit)")
            case .rejected(let change, let error): log("refused: \(change.edit), \(error)")
            case .failed(let error): log("not saved: \(error)")
            default: break
            }
        }

        #expect(lines.all.first?.hasPrefix("sent") == true)
    }

    // MARK: - Signing out

    @MainActor @Test func `signing out removes the changes or leaves them on disk`() async throws {
        let storage = OutboxStorage.inMemory()
        let service = offlineService(Outbox(storage: { _ in storage }))
        let outbox = try #require(service.outbox)
        try await outbox.save(.setFavorite(id, to: true))

        let isAllSent = (try? await outbox.sendAll()) == 0 && outbox.rejections.isEmpty
        await service.signOut(keepsUnsentChanges: !isAllSent)

        #expect(outbox.changes.isEmpty)
        let serviceOfTheSameUser = offlineService(Outbox(storage: { _ in storage }))
        try await serviceOfTheSameUser.outbox?.open()
        #expect(serviceOfTheSameUser.outbox?.changes.count == 1)

        await serviceOfTheSameUser.signOut()

        let next = offlineService(Outbox(storage: { _ in storage }))
        try await next.outbox?.open()
        #expect(next.outbox?.changes.isEmpty == true)
    }

    // MARK: - Any backend

    @Test func `a service for another backend accepts an outbox`() async {
        let service = ProductService(
            backend: .bazaar(at: api),
            localUser: euros,
            user: .signedIn("anna") { token },
            outbox: Outbox(directory: folder, savesNewLists: false)
        )

        #expect(service.outbox != nil)
        await removeFolder(of: service)
    }

    @Test func `a request of the outbox has the same key at each attempt`() async throws {
        let keys = Lines()
        let networking = ClosureNetworking.closure { request in
            keys.add(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none")
            return NetworkResponse(statusCode: keys.all.count < 2 ? 504 : 204)
        }

        let client = NetworkClient(baseURL: api, networking: networking)
        let outbox = Outbox().start(for: "anna") { change in
            guard case .setFavorite(let id, true) = change.edit else {
                throw UnsupportedOperation("edit")
            }
            try await client.send(.put("stars", id))
            return Outbox.Confirmation()
        }

        try await outbox.save(.setFavorite(id, to: true))
        while try await outbox.sendAll() > 0 {}
        #expect(keys.all.count == 2 && Set(keys.all).count == 1)
    }

    // MARK: - By hand

    @Test func `a tool saves edits and sends them`() async throws {
        let (loader, lists) = (onlineLoader, ListManager(addProduct: { _, _ in }))
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = Lines()
        func print(_ text: String) { output.add(text) }

        let outbox = Outbox(directory: folder)
        let session = outbox.start(for: "anna", sending: Outbox.sending(loader, lists))

        try await session.save(.setFavorite("walking-boots", to: true))
        let waiting = try await session.sendAll()
        print("\(waiting) changes wait")

        #expect(output.all == ["0 changes wait"])
    }

    @Test func `a tool waits for the next attempt`() async throws {
        let session = Outbox().start(for: "anna") { _ in throw NetworkError(.unreachable) }
        let output = Lines()
        func print(_ text: String) { output.add(text) }

        switch try await session.perform(.setFavorite(id, to: true)) {
        case .confirmed(let confirmation): print("sent: \(confirmation.product?.name ?? "")")
        case .saved: print("The change is sent when the server can be reached.")
        }

        #expect(output.all == ["The change is sent when the server can be reached."])
        #expect(session.changes.count == 1)
    }

    @MainActor @Test func `services and screens can be made by hand`() async throws {
        let (loader, lists) = (onlineLoader, ListManager(addProduct: { _, _ in }))
        let boots = Product(id: id, name: "Walking Boots")

        let outbox = Outbox()
        let session = outbox.start(for: "anna", sending: Outbox.sending(loader, lists))
        let offlineLoader = loader.performingEdits(in: session)
        let offlineLists = lists.performingEdits(in: session)
        let store = ProductStore(outbox: session)
        var actions = ProductViewModel.Actions(productID: id, loader: loader, listManager: lists)
        actions.toggleFavorite = { isFavorite in
            try await session.save(.setFavorite(id, to: isFavorite))
            return .saved
        }
        actions.addToList = { list in
            try await session.save(.addProduct(id, toList: list))
            return .saved
        }

        let screen = ProductViewModel(
            product: boots,
            localUser: euros,
            actions: actions,
            store: store
        )
        try await screen.toggleProductFavoriteStatus()
        try await session.sendAll()
        #expect(screen.isFavorite && !screen.isFavoriteUnsent)
        try await offlineLists.addProduct(withID: id, toListWithID: "wishlist")
        #expect(try await offlineLoader.setFavoriteStatus(true, forProductWithID: id) != nil)
        #expect(session.applyingChanges(to: boots) == boots && session.changes.isEmpty)
    }

    // MARK: - Tests

    @MainActor @Test func `an unsent favorite is marked`() async throws {
        var actions = ProductViewModel.Actions.only()
        actions.toggleFavorite = { _ in .saved }
        let screen = ProductViewModel(
            product: Product(id: "walking-boots", name: "Walking Boots"),
            localUser: LocalUser(currency: "EUR"),
            actions: actions
        )

        try await screen.toggleProductFavoriteStatus()

        #expect(screen.isFavorite)
        #expect(screen.isFavoriteUnsent)
    }

    @MainActor @Test func `a favorite is sent later`() async throws {
        let isOnline = Mutex(false)
        let clock = ManualClock()
        let service = ProductService(
            baseURL: try #require(URL(string: "https://api.example.com/v1")),
            localUser: LocalUser(currency: "EUR"),
            user: .signedIn("anna"),
            networking: .closure { _ in
                guard isOnline.withLock(\.self) else { throw NetworkError(.unreachable) }
                let boots = Product(id: "walking-boots", name: "Walking Boots", isFavorite: true)
                return try NetworkResponse(json: boots)
            },
            outbox: Outbox(effects: clock.effects())
        )
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        let screen = service.viewModel(for: boots)

        try await screen.toggleProductFavoriteStatus()
        #expect(screen.isFavorite && screen.isFavoriteUnsent)
        #expect(try await service.outbox?.sendAll() == 1)
        isOnline.withLock { $0 = true }

        #expect(try await service.outbox?.sendAll() == 0)
        #expect(screen.isFavorite && !screen.isFavoriteUnsent)
    }

    @MainActor @Test func `a favorite survives a restart`() async throws {
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let writes = Mutex<[Bool]>([])
        let service = { (isOnline: Bool) in
            ProductService(
                loader: ProductLoader(
                    load: { id in Product(id: id, name: "Walking Boots") },
                    setFavorite: { id, isFavorite in
                        guard isOnline else { throw NetworkError(.unreachable) }
                        writes.withLock { $0.append(isFavorite) }
                        return Product(id: id, name: "Walking Boots", isFavorite: isFavorite)
                    }
                ),
                listManager: .only(),
                localUser: LocalUser(currency: "EUR"),
                user: .signedIn("anna"),
                outbox: Outbox(directory: folder, effects: ManualClock().effects())
            )
        }
        let boots = Product(id: "walking-boots", name: "Walking Boots")

        let offline = service(false)
        try await offline.viewModel(for: boots).toggleProductFavoriteStatus()
        await offline.outbox?.stop()

        let online = service(true)
        let screen = online.viewModel(for: boots)
        #expect(try await online.outbox?.sendAll() == 0)
        #expect(screen.isFavorite && writes.withLock(\.self) == [true])
    }

    @MainActor @Test func `a tap fails if the edit cannot be saved`() async throws {
        let outbox = Outbox(directory: URL(filePath: "/dev/null/edits"))
        let service = offlineService(outbox)
        let screen = service.viewModel(for: Product(id: id, name: "Walking Boots"))

        await #expect(throws: OutboxError.self) {
            try await screen.toggleProductFavoriteStatus()
        }

        #expect(!screen.isFavorite)
        #expect(screen.lastError?.kind == .toggleFavorite)
    }

    @Test func `the comments of the outbox compile`() {
        let outbox = Outbox(directory: nil)
        var actions = ProductViewModel.Actions.only()
        actions.toggleFavorite = { _ in .saved }
        actions.addToList = { _ in .confirmed(()) }

        #expect(outbox.savesNewLists)
    }
}

extension OfflineSamples {
    private var onlineLoader: ProductLoader {
        ProductLoader(
            load: { id in Product(id: id, name: "Walking Boots") },
            setFavorite: { id, isFavorite in
                Product(id: id, name: "Walking Boots", isFavorite: isFavorite)
            }
        )
    }

    /// Removes the folder when its file, which the outbox opens in the background, is closed.
    private func removeFolder(of service: ProductService) async {
        await service.outbox?.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A service whose server cannot be reached.
    private func offlineService(_ outbox: Outbox) -> ProductService {
        ProductService(
            loader: ProductLoader(
                load: { _ in throw NetworkError(.unreachable) },
                setFavorite: { _, _ in throw NetworkError(.unreachable) }
            ),
            listManager: ListManager(addProduct: { _, _ in throw NetworkError(.unreachable) }),
            localUser: euros,
            user: .signedIn("anna"),
            outbox: outbox
        )
    }
}
