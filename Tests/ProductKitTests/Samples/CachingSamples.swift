import ProductKit
import Testing

/// The fences about where an answer came from.
@Suite(.timeLimit(.minutes(5))) struct CachingSamples {
    @Test func `an answer tells whether it stands in`() {
        let response = NetworkResponse()

        let isOffline = response.source.code == .staleIfError

        #expect(!isOffline)
    }
}
