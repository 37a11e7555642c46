import Foundation
import ProductKit

/// What came of reading a text to its end.
struct JSONOutcome<Value: Decodable & Hashable & Sendable>: Hashable {
    private(set) var elements: [Value] = []
    private(set) var rejected: [RejectedElement] = []
    private(set) var error: JSONElementsError?
    /// How many elements each batch had.
    private(set) var batchSizes: [Int] = []

    /// Whether nothing was wrong.
    var isAccepted: Bool { error == nil && rejected.isEmpty }

    init(of source: JSONElements<Value>) async throws {
        do {
            for try await batch in source {
                elements += batch.elements
                rejected += batch.rejected
                batchSizes.append(batch.elements.count + batch.rejected.count)
            }
        } catch let error as JSONElementsError {
            self.error = error
        }
    }
}

extension Data {
    /// These bytes cut into pieces of a size.
    func pieces(of size: Int) -> AsyncStream<Data> {
        pieces(cutAt: Array(stride(from: size, to: count, by: size)))
    }

    /// These bytes cut at places, which stand in order.
    func pieces(cutAt places: [Int]) -> AsyncStream<Data> {
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        for (start, end) in zip([0] + places, places + [count]) {
            // A part of the whole, whose indices do not begin at 0.
            continuation.yield(self[startIndex + start..<startIndex + end])
        }
        continuation.finish()
        return pieces
    }
}
