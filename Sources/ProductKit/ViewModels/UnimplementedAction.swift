public import Foundation

/// The error of an action that was called although the test or preview did not provide it.
///
/// The `only` function of each view model's `Actions` makes it for every action that is left out.
public struct UnimplementedAction: LocalizedError, Hashable {
    /// The argument label of the action, such as `reload`.
    public let name: String
    /// The file in which the actions were created, with its module.
    let file: String
    /// The line on which the actions were created.
    let line: UInt

    /// Creates the error for an action.
    ///
    /// - Parameters:
    ///   - name: The argument label of the action.
    ///   - file: The file in which the actions were created.
    ///   - line: The line on which the actions were created.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        self.name = name
        self.file = file.description
        self.line = line
    }

    /// A text that names the action and the place where to provide it.
    public var errorDescription: String? {
        "The action “\(name)” was called but not provided. "
            + "Provide it where the actions were created, at \(file):\(line)."
    }

    /// Returns a function that makes the error for an action, and reports it before it is thrown.
    ///
    /// - Parameters:
    ///   - report: Receives each error.
    ///   - file: The file in which the actions were created.
    ///   - line: The line on which the actions were created.
    /// - Returns: A function from the argument label of the action to its error.
    static func reporting(
        to report: @escaping (UnimplementedAction) -> Void,
        file: StaticString,
        line: UInt
    ) -> (String) -> UnimplementedAction {
        { name in
            let error = UnimplementedAction(name, file: file, line: line)
            report(error)
            return error
        }
    }
}

extension UnimplementedAction: RequestOutcomeError {
    /// `false`, because no request was sent.
    public var mayHaveReachedServer: Bool { false }
}
