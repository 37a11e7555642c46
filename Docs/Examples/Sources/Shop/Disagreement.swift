import Foundation

/// The screen shows something other than what the store has.
struct Disagreement: LocalizedError {
    let fact: String

    var errorDescription: String? { "Screen and store do not agree on \(fact)." }
}
