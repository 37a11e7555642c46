// SwiftUI exports Foundation, too.
@_exported import Foundation

/// The `View` protocol of a module that replaces SwiftUI on Linux.
///
/// The module contains the declarations that the screens of the documentation use, with the same
/// signatures as in SwiftUI, so that the compiler checks every call. It displays nothing.
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("views are not displayed on Linux") }
}

/// Any view that has no body of its own.
public protocol Leaf: View where Body == Never {}

extension Leaf {
    public var body: Never { fatalError("views are not displayed on Linux") }
}

@resultBuilder public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> ConditionalContent<First, Second> { ConditionalContent() }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> ConditionalContent<First, Second> { ConditionalContent() }
}

public struct EmptyView: Leaf {
    public nonisolated init() {}
}

public struct TupleView<Content>: Leaf {}

public struct ConditionalContent<First: View, Second: View>: Leaf {}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("views are not displayed on Linux") }
}

extension Optional: Leaf where Wrapped: View {}
