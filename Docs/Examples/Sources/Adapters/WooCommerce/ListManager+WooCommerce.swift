public import ProductKit

extension ListManager {
    /// A manager that supports no operation, because WooCommerce's REST API has no wish lists.
    ///
    /// Every method throws `UnsupportedOperation`, so a screen can hide its button. For a store with
    /// a wish list plug-in, create a manager from closures that call the plug-in.
    public static var wooCommerce: ListManager {
        ListManager(addProduct: { _, _ in throw UnsupportedOperation("addProduct") })
    }
}
