import Foundation
import ProductKit

/// The elements, rejected elements and error of a complete loop over `JSONElements`.
struct JSONOutcome<Value: Decodable & Hashable & Sendable>: Hashable {
    /// The comparable properties of a `JSONElementsError`.
    struct Failure: Hashable {
        let reason: JSONElementsError.Reason
        let index: Int
        let offset: Int
        let message: String
    }

    private(set) var elements: [Value] = []
    private(set) var rejected: [RejectedElement] = []
    private(set) var failure: Failure?
    /// The number of elements in each batch.
    private(set) var batchSizes: [Int] = []

    /// Whether there is neither an error nor a rejected element.
    var isAccepted: Bool { failure == nil && rejected.isEmpty }

    init(of source: JSONElements<Value>) async throws {
        do {
            for try await batch in source {
                elements += batch.elements
                rejected += batch.rejected
                batchSizes.append(batch.elements.count + batch.rejected.count)
            }
        } catch let error as JSONElementsError {
            failure = Failure(
                reason: error.reason,
                index: error.index,
                offset: error.offset,
                message: error.localizedDescription
            )
        }
    }
}

extension Data {
    /// Splits the data into chunks of a size.
    func chunks(of size: Int) -> AsyncStream<Data> {
        chunks(splitAt: Array(stride(from: size, to: count, by: size)))
    }

    /// Splits the data at positions in ascending order.
    func chunks(splitAt positions: [Int]) -> AsyncStream<Data> {
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        for (start, end) in zip([0] + positions, positions + [count]) {
            // The indices of such a slice do not begin at 0.
            continuation.yield(self[startIndex + start..<startIndex + end])
        }
        continuation.finish()
        return chunks
    }
}
