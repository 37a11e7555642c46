import Benchmarking
import ProductKit

/// The limits of a transport, as multiples of `data(for:)` written by hand, by the number of
/// concurrent requests.
public struct TransportLimits: Sendable {
    let fresh: KeyValuePairs<Int, Limit>
    let product: KeyValuePairs<Int, Limit>
    let write: KeyValuePairs<Int, Limit>

    private init(fresh: Limit, product: Limit, write: Limit) {
        self.fresh = [1: fresh, 16: fresh, 64: fresh]
        self.product = [1: product, 16: product, 64: product]
        self.write = [1: write, 16: write]
    }

    /// The limits of `CurlTransport`.
    public static let curl = TransportLimits(
        fresh: .ratio(0.60, goal: 0.15),
        product: .ratio(0.70),
        write: .ratio(0.70, goal: 0.30)
    )

    /// The limits of `URLSessionTransport`, whose writes open a connection each.
    public static let urlSession = TransportLimits(
        fresh: .ratio(1.40, goal: 1.15),
        product: .ratio(1.40, goal: 1.15),
        write: .ratio(3.50)
    )

    /// The limits of `AsyncHTTPClientNetworking`.
    public static let asyncHTTPClient = TransportLimits(
        fresh: .ratio(1),
        product: .ratio(1),
        write: .ratio(1.5)
    )

    /// The limits of the transport that `SystemTransport` uses.
    public static var system: TransportLimits {
        "\(SystemTransport.system)".hasPrefix("Curl") ? curl : urlSession
    }
}
