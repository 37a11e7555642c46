public import ProductKit

extension ListManager {
    /// A manager that can do nothing: WooCommerce's REST API has no wish lists, only plug-ins do.
    ///
    /// Every method throws `UnsupportedOperation`, so that a screen hides its button. A store with a
    /// plug-in for wish lists is a manager with closures that ask it.
    public static var wooCommerce: ListManager {
        ListManager(addProduct: { _, _ in throw UnsupportedOperation("addProduct") })
    }
}
