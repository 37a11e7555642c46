import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct DifferenceTests {
    @Test(arguments: Difference.allCases)
    func `the article “Transports” contains each difference`(difference: Difference) throws {
        let docs = #filePath.prefix(
            upTo: try #require(#filePath.range(of: "/Transports/")).lowerBound
        )
        let article = try String(
            contentsOfFile: docs + "/ProductKit.docc/Transports.md",
            encoding: .utf8
        )

        let text = article.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains(difference.rawValue))
    }
}
