public struct Text: Leaf {
    public init(_ content: some StringProtocol) {}
}

public struct Label: Leaf {
    public init(_ title: some StringProtocol, systemImage: String) {}
}

public struct ProgressView: Leaf {
    public init() {}
}

public struct Button: Leaf {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
    public init(
        _ title: some StringProtocol,
        systemImage: String,
        action: @escaping @MainActor () -> Void
    ) {}
}

public struct TextField: Leaf {
    public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct List: Leaf {
    public init(@ViewBuilder content: () -> some View) {}
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Data.Element: Identifiable {}
}

public struct ForEach: Leaf {
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data,
        @ViewBuilder content: @escaping (Data.Element) -> Row
    ) where Data.Element: Identifiable {}
}

public struct NavigationStack: Leaf {
    public init(@ViewBuilder root: () -> some View) {}
}

public struct NavigationLink: Leaf {
    public init(_ title: some StringProtocol, value: (some Hashable)?) {}
}
