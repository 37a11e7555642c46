import Observation

/// A yes or no that the user changes on a screen before the server has confirmed it.
///
/// **What is shown is the last waiting tap, else what the server has.** Rolling back is removing a
/// tap; nothing that was shown before is ever put back. An answer counts unless a later question has
/// been answered.
struct Flag {
    /// A wish of the user that the server has not confirmed yet.
    struct Tap: Equatable {
        let wish: Bool
        fileprivate let tick: Int
    }

    /// What the server has, as far as is known.
    private(set) var confirmed: Bool
    private var tick: Int
    private var taps: [Tap] = []
    /// Since when the server may have it otherwise, because an answer was lost.
    private var doubtfulSince: Int?

    /// - Parameters:
    ///   - confirmed: What is believed until something newer is known.
    ///   - tick: When that was asked.
    init(_ confirmed: Bool, askedAt tick: Int = 0) {
        self.confirmed = confirmed
        self.tick = tick
    }

    /// What to show.
    var shown: Bool { taps.last?.wish ?? confirmed }

    /// Shows a wish until it is settled or withdrawn.
    mutating func tap(_ wish: Bool, at tick: Int) -> Tap {
        let tap = Tap(wish: wish, tick: tick)
        taps.append(tap)
        return tap
    }

    /// Whether the server must be asked for a tap whose turn it is.
    ///
    /// It need not when the server surely has it so by now, or when the last tap wants something else:
    /// then that one will ask.
    func isNeeded(_ tap: Tap) -> Bool {
        (tap.wish != confirmed || doubtfulSince != nil) && tap.wish == taps.last?.wish
    }

    /// Whether the server has been found to have it so since the tap.
    func hasConfirmed(_ tap: Tap) -> Bool {
        confirmed == tap.wish && tick > tap.tick
    }

    /// Believes a value until something newer is known.
    mutating func believe(_ value: Bool) {
        confirmed = value
    }

    /// Believes a value if no question has been answered yet.
    mutating func seed(_ value: Bool) {
        if tick == 0 { confirmed = value }
    }

    /// Learns what the server had when it was asked.
    mutating func learn(_ value: Bool, askedAt tick: Int) {
        guard tick > self.tick else { return }
        self.tick = tick
        confirmed = value
        if let since = doubtfulSince, tick > since { doubtfulSince = nil }
    }

    /// Learns that a tap was sent and its answer lost, so that it may have been carried out.
    mutating func doubt(at tick: Int) {
        doubtfulSince = tick
    }

    /// Learns what the server answered to a tap just now; nothing asked before can know better.
    mutating func settle(_ tap: Tap, with value: Bool, at tick: Int) {
        self.tick = tick
        confirmed = value
        doubtfulSince = nil
        withdraw(tap)
    }

    /// Removes a tap, which rolls back what it showed unless a later one shows the same.
    mutating func withdraw(_ tap: Tap) {
        taps.removeAll { $0 == tap }
    }

    /// Drops every tap, and keeps what is believed.
    mutating func withdrawAll() {
        taps = []
        doubtfulSince = nil
    }
}

/// Whether a list holds a product, shared by all screens of the product.
@MainActor @Observable
final class ListMembership {
    /// The list.
    let listID: ProductList.ID
    /// What to show: as the user wants it, else as the server has it.
    private(set) var holdsProduct = false
    /// What is known of it.
    @ObservationIgnored private(set) var flag = Flag(false)

    init(in listID: ProductList.ID) {
        self.listID = listID
    }

    /// Changes what is known, and shows it.
    func update<Value>(_ change: (inout Flag) -> Value) -> Value {
        defer { if flag.shown != holdsProduct { holdsProduct = flag.shown } }
        return change(&flag)
    }
}
