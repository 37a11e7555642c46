/// The error of an action without a connection.
struct Offline: Error, Hashable {}
