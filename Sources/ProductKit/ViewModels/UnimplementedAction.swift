public import Foundation

/// An action was called that the test or preview did not give.
public struct UnimplementedAction: LocalizedError, Hashable {
    /// The action, by its label, such as `reload`.
    public let name: String
    /// The file in which the actions were made, with its module.
    public let file: String
    /// The line on which the actions were made.
    public let line: UInt

    /// Creates the error for an action.
    ///
    /// - Parameters:
    ///   - name: The action, by its label.
    ///   - file: The file in which the actions were made.
    ///   - line: The line on which the actions were made.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        self.name = name
        self.file = file.description
        self.line = line
    }

    /// What was called, where it was left out, and what to do.
    public var errorDescription: String? {
        "“\(name)” was called but not given; give it where the actions were made, at \(file):\(line)."
    }
}
