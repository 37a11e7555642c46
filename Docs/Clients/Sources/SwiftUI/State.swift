/// What a view keeps while it is shown.
@propertyWrapper public struct State<Value> {
    public var wrappedValue: Value {
        get { kept.value }
        nonmutating set { kept.value = newValue }
    }
    public var projectedValue: Binding<Value> {
        Binding(get: { kept.value }, set: { kept.value = $0 })
    }
    private let kept: Kept

    public init(wrappedValue: Value) {
        kept = Kept(wrappedValue)
    }

    private final class Kept {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() {
        self.init(wrappedValue: nil)
    }
}

/// A value that somebody else keeps.
@propertyWrapper public struct Binding<Value> {
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Binding<Value> { self }
    private let get: () -> Value
    private let set: (Value) -> Void

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }
}
