public import Foundation

/// The error of a closure that was called although the test or preview did not provide it.
///
/// The `only` functions throw it for every closure that is left out: those of each view model's `Actions`, of
/// ``ProductLoader`` and of ``ListManager``. So do `unimplemented` networking and an `unimplemented` ``NetworkClient``,
/// for every request. An operation that a backend does not support throws `UnsupportedOperation`.
///
/// To fail a test although its code catches this error, pass `otherwise: { Issue.record($0) }` to `only`. The
/// error names the file and the line on which the closures were provided, by default those of the call.
public struct UnimplementedAction: LocalizedError, Hashable, CustomStringConvertible {
    /// The argument label of the closure, such as `reload`, or the request, such as `GET https://example.com/lists`.
    public let name: String
    let file: String
    let line: UInt

    /// Creates the error for the closure with an argument label.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        self.name = name
        self.file = file.description
        self.line = line
    }

    /// A text that names the closure and the place where to provide it.
    public var errorDescription: String? { description }

    /// The same text, which a test prints.
    public var description: String {
        "“\(name)” was called but not provided. Provide it at \(file):\(line)."
    }

    /// Returns the error after reporting it.
    func reported(to report: (UnimplementedAction) -> Void) -> UnimplementedAction {
        report(self)
        return self
    }

    /// Returns a function that makes the error for an action, and reports it before it is thrown.
    static func reporting(
        to report: @escaping (UnimplementedAction) -> Void,
        file: StaticString,
        line: UInt
    ) -> (String) -> UnimplementedAction {
        { name in UnimplementedAction(name, file: file, line: line).reported(to: report) }
    }
}
