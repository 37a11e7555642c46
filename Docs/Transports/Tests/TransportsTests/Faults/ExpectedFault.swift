import FaultServer
import ProductKit
import Testing

/// A fault, and the error code that a transport reports for it, or `nil` for a product.
struct ExpectedFault: CustomTestStringConvertible {
    let fault: Fault
    /// The code of most transports.
    private let code: NetworkError.Code?
    /// Other codes, and the reason for each.
    private let exceptions: [Difference: NetworkError.Code?]

    private init(
        _ fault: Fault,
        _ code: NetworkError.Code?,
        except exceptions: [Difference: NetworkError.Code?] = [:]
    ) {
        self.fault = fault
        self.code = code
        self.exceptions = exceptions
    }

    var testDescription: String { fault.name }

    /// The code that a transport reports, or `nil` if it returns the response.
    func code(of transport: TransportUnderTest) -> NetworkError.Code? {
        guard let exception = exceptions.first(where: { transport.has($0.key) }) else {
            return code
        }
        return exception.value
    }

    static let all = [
        ExpectedFault(.closesBeforeTheHead, .connectionLost),
        ExpectedFault(.resetsBeforeTheHead, .connectionLost),
        ExpectedFault(.resetsInTheBody, .incomplete),
        ExpectedFault(.truncatedByLength, .incomplete),
        ExpectedFault(.truncatedByChunk, .incomplete),
        ExpectedFault(.badChunkSize, .unreadable, except: [.usesLibcurl: .incomplete]),
        ExpectedFault(.brokenGzip, .unreadable, except: [.reportsLessPreciseCodes: .incomplete]),
        ExpectedFault(.onlyInformational, .connectionLost),
        ExpectedFault(.garbageStatusLine, .unreadable),
        ExpectedFault(.noHead, .unreadable),
        ExpectedFault(.twoLengths, .unreadable),
        ExpectedFault(
            .twoSpellingsOfLength,
            .unreadable,
            except: [.acceptsTwoLengths: nil]
        ),
        ExpectedFault(.statusBelow100, .unreadable),
        ExpectedFault(
            .switchesProtocols,
            .unreadable,
            except: [.reportsLessPreciseCodes: .connectionLost]
        ),
        ExpectedFault(.hugeField, .tooLarge, except: [.reportsLessPreciseCodes: .connectionLost]),
        ExpectedFault(.manyFields, .tooLarge),
        ExpectedFault(.announcesTooMuch, .tooLarge),
        ExpectedFault(.endlessBody, .tooLarge),
        ExpectedFault(.gzipBomb, .tooLarge),
        ExpectedFault(.informationalFirst, nil),
        ExpectedFault(.namesInThreeCases, nil),
        ExpectedFault(.validGzip, nil),
        ExpectedFault(.noReasonPhrase, nil, except: [.refusesUnusualHeads: .connectionLost]),
        ExpectedFault(
            .bareLineFeeds,
            nil,
            except: [.refusesUnusualHeads: .connectionLost, .refusesLineFeeds: .unreadable]
        ),
        ExpectedFault(.latin1Field, nil, except: [.refusesUnusualHeads: .connectionLost]),
    ]
}
