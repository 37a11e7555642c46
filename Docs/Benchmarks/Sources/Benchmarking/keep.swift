public import CCounters

/// Makes the compiler compute a value that nobody needs.
@inlinable public func keep<Value>(_ value: Value) {
    withUnsafePointer(to: value) { counters_look_at($0) }
}

/// Hides from the compiler what a value is made of, so that closures in it are called as a stranger's.
@inline(never) public func opaque<Value>(_ value: Value) -> Value {
    value
}
