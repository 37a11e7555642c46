import Foundation
import ProductKit

/// The end of a write for which the client gets no response of the shop.
enum Loss: CaseIterable {
    case lostConnection, timeout, badGateway, unavailable, gatewayTimeout, serverError
    /// The connection is lost before the shop carries out the write.
    case notReceived
    /// The shop refuses the write.
    case refusal

    /// Those after which the shop has carried out the write.
    static var received: [Loss] { allCases.filter(\.isReceived) }

    fileprivate var isReceived: Bool { ![.notReceived, .refusal].contains(self) }

    fileprivate func response() throws -> NetworkResponse {
        switch self {
        case .lostConnection, .notReceived: throw NetworkError(.connectionLost)
        case .timeout: throw NetworkError(.timedOut)
        case .badGateway: NetworkResponse(statusCode: 502)
        case .unavailable: NetworkResponse(statusCode: 503)
        case .gatewayTimeout: NetworkResponse(statusCode: 504)
        case .serverError: NetworkResponse(statusCode: 500)
        case .refusal: NetworkResponse(statusCode: 400)
        }
    }
}

extension Shop {
    /// Lets the next writes end with losses.
    func lose(_ losses: [Loss]) {
        let losses = Observed(wrappedValue: losses)
        respond = { [respond] request, carryOut in
            guard request.httpMethod != "GET",
                let loss = losses.change({ $0.isEmpty ? nil : $0.removeFirst() })
            else { return try await respond(request, carryOut) }
            if loss.isReceived { _ = try await respond(request, carryOut) }
            return try loss.response()
        }
    }

    /// Lets the next read end with a status code; 0 loses the connection.
    func failRead(_ statusCode: Int) {
        let reads = Counter()
        respond = { [respond] request, carryOut in
            guard request.httpMethod == "GET", reads.next() == 1 else {
                return try await respond(request, carryOut)
            }
            guard statusCode > 0 else { throw NetworkError(.connectionLost) }
            return NetworkResponse(statusCode: statusCode, body: Data("{}".utf8))
        }
    }
}
