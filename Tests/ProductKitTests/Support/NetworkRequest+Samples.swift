import ProductKit

extension NetworkRequest where Output == Product {
    /// A request that loads the boots.
    static var boots: NetworkRequest { .get("products", "walking-boots") }
}
