public import CCounters

/// Prevents the compiler from removing the computation of an unused value.
@inlinable public func keep<Value>(_ value: Value) {
    withUnsafePointer(to: value) { counters_look_at($0) }
}

/// Hides the origin of a value from the optimizer, so that it does not inline closures in the value.
@inline(never) public func opaque<Value>(_ value: Value) -> Value {
    value
}
