public struct Font: Sendable {
    public static let title = Font()
    public static let headline = Font()
}

public enum ShapeStyleColor: Sendable { case red, secondary }

extension View {
    nonisolated public func font(_ font: Font?) -> some View { EmptyView() }
    nonisolated public func foregroundStyle(_ style: ShapeStyleColor) -> some View { EmptyView() }
    nonisolated public func opacity(_ opacity: Double) -> some View { EmptyView() }
    nonisolated public func disabled(_ isDisabled: Bool) -> some View { EmptyView() }
    nonisolated public func badge(_ text: (some StringProtocol)?) -> some View { EmptyView() }
    nonisolated public func navigationTitle(_ title: some StringProtocol) -> some View {
        EmptyView()
    }
    nonisolated public func searchable(text: Binding<String>) -> some View { EmptyView() }

    nonisolated public func overlay(@ViewBuilder content: () -> some View) -> some View {
        EmptyView()
    }
    nonisolated public func toolbar(@ViewBuilder content: () -> some View) -> some View {
        EmptyView()
    }
    nonisolated public func navigationDestination<Value: Hashable>(
        for type: Value.Type,
        @ViewBuilder destination: @escaping (Value) -> some View
    ) -> some View {
        EmptyView()
    }

    // The one inherits the view's actor and the other does not, as Apple publishes them.
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        EmptyView()
    }
    nonisolated public func task(
        id: some Equatable,
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        EmptyView()
    }
    nonisolated public func refreshable(
        action: @escaping @Sendable () async -> Void
    ) -> some View {
        EmptyView()
    }
}
