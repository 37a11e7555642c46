import ProductKit

extension NetworkRequest where Output == Product {
    /// Asks for the boots.
    static var boots: NetworkRequest { .get("products", "walking-boots") }
}
