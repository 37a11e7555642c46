import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct FetchSourceTests {
    private static let early = Date(timeIntervalSince1970: 1_000)
    private static let late = Date(timeIntervalSince1970: 2_000)

    // Rule: pages/composed-source (9)
    @Test(arguments: [
        (FetchSource.network, FetchSource.network, FetchSource.network),
        (.network, .revalidated, .revalidated),
        (.revalidated, .revalidated, .revalidated),
        (.network, .cache(asOf: late), .cache(asOf: late)),
        (.revalidated, .cache(asOf: late), .cache(asOf: late)),
        (.cache(asOf: early), .cache(asOf: late), .cache(asOf: early)),
        (.network, stale(asOf: late), stale(asOf: late)),
        (.revalidated, stale(asOf: late), stale(asOf: late)),
        (.cache(asOf: early), stale(asOf: late), stale(asOf: early)),
        (.cache(asOf: late), stale(asOf: early), stale(asOf: early)),
        (stale(asOf: early), stale(asOf: late), stale(asOf: early)),
    ])
    func `two sources are combined to the less current one with the earlier date`(
        one: FetchSource,
        other: FetchSource,
        expected: FetchSource
    ) {
        #expect(one.combined(with: other) == expected)
        #expect(other.combined(with: one) == expected)
        #expect(one.combined(with: other).isFromServer == (one.isFromServer && other.isFromServer))
    }

    // Rule: pages/composed-source (9)
    @Test func `the failure of a combined source is that of the first source with a failure`() {
        let cache = FetchSource.cache(asOf: Self.early)
        let unreachable = Self.stale(asOf: Self.late, code: .unreachable)
        let timedOut = Self.stale(asOf: Self.early, code: .timedOut)

        #expect(cache.combined(with: unreachable).failureCode == .unreachable)
        #expect(unreachable.combined(with: cache).failureCode == .unreachable)
        #expect(unreachable.combined(with: timedOut).failureCode == .unreachable)
        #expect(timedOut.combined(with: unreachable).failureCode == .timedOut)
    }

    private static func stale(
        asOf date: Date,
        code: NetworkError.Code = .unreachable
    ) -> FetchSource {
        .staleIfError(asOf: date, failure: NetworkError(code))
    }
}

extension FetchSource {
    fileprivate var failureCode: NetworkError.Code? { (failure as? NetworkError)?.code }
}
