import Testing

/// Actions in flight are continuations in a local array that the action's closure appends to.
extension Array {
    /// Lets a held action return.
    mutating func answer<Value: Sendable>(
        _ value: Value,
        at index: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws where Element == CheckedContinuation<Value, any Error> {
        try take(index, sourceLocation).resume(returning: value)
    }

    /// Lets a held action throw.
    mutating func fail<Value: Sendable>(
        _ error: any Error = Offline(),
        at index: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws where Element == CheckedContinuation<Value, any Error> {
        try take(index, sourceLocation).resume(throwing: error)
    }

    private mutating func take(_ index: Int, _ location: SourceLocation) throws -> Element {
        try #require(indices.contains(index), "no such action is held", sourceLocation: location)
        return remove(at: index)
    }
}

/// What an action throws when nothing came through.
struct Offline: Error, Hashable {}
