import Foundation
import ProductKit
import Testing

/// Renaming a list only if it is unchanged, on servers whose tags are weak or have a suffix.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConditionalRenameTests {
    // Rule: requests/weak-tag-is-compared-weakly (13)
    @Test(arguments: [
        (#"W/"7""#, #""7""#), (#""7-gzip""#, #""7""#), (#"W/"7-br""#, #""7""#),
        (#""7--gzip""#, #""7""#), (#""a;gzip""#, #""a""#), (#""7-zstd""#, #""7""#),
    ])
    func `an unchanged list is renamed although its tag is that of a compressed response`(
        tag: String,
        own: String
    ) async throws {
        let conditions = Lines()
        let manager = ListManager.contract { request in
            guard request.httpMethod == "PUT" else {
                return .json(#"{"id": "a", "name": "Old"}"#, headers: ["ETag": tag])
            }
            let condition = request.value(forHTTPHeaderField: "If-Match") ?? "none"
            conditions.add(condition)
            return condition == own
                ? .json(#"{"id": "a", "name": "New"}"#, headers: ["ETag": #""8""#])
                : NetworkResponse(statusCode: 412)
        }
        let loaded = try await manager.list(withID: "a")
        #expect(loaded.version == tag)

        let renamed = try await manager.renameList(withID: "a", to: "New", ifUnchanged: loaded)

        #expect(renamed == ProductList(id: "a", name: "New", version: #""8""#))
        #expect(conditions.all == [tag, own])
    }

    // Rule: requests/weak-tag-is-compared-weakly (13)
    @Test(arguments: [
        (#"W/"7""#, #"W/"8""#), (#""7-gzip""#, #""8-gzip""#), (#""7-gzip""#, #""8""#),
        (#""7-red""#, #""7""#), (#""7""#, nil),
    ])
    func `a list with another tag has changed`(tag: String, current: String?) async throws {
        let manager = ListManager.contract { request in
            guard request.httpMethod == "GET" else { return NetworkResponse(statusCode: 412) }
            var response = NetworkResponse.json(#"{"id": "a", "name": "Theirs"}"#)
            response.headers["ETag"] = current
            return response
        }
        let loaded = ProductList(id: "a", name: "Old", version: tag)

        let theirs = ProductList(id: "a", name: "Theirs", version: current)
        await #expect(throws: ListError.changed(current: theirs)) {
            try await manager.renameList(withID: "a", to: "Mine", ifUnchanged: loaded)
        }
    }

    // Rule: requests/weak-tag-is-compared-weakly (13)
    @Test
    func `an unchanged list whose tag the server never accepts is not renamed, with the reason`()
        async throws
    {
        let lines = Lines()
        let manager = ListManager.contract { request in
            lines.add(request.httpMethod ?? "")
            return request.httpMethod == "PUT"
                ? NetworkResponse(statusCode: 412)
                : .json(#"{"id": "a", "name": "Old"}"#, headers: ["ETag": #"W/"7""#])
        }
        let loaded = ProductList(id: "a", name: "Old", version: #"W/"7""#)

        let error = await expectNetworkError(.rejected) {
            try await manager.renameList(withID: "a", to: "New", ifUnchanged: loaded)
        }
        #expect(error?.debugDescription.contains(#"W/"7""#) == true)
        #expect(lines.all == ["PUT", "GET", "PUT", "GET"])
    }

    // Rule: requests/weak-tag-is-compared-weakly (13)
    @Test func `a list that changes before the second attempt has changed`() async throws {
        let loads = Counter()
        let manager = ListManager.contract { request in
            guard request.httpMethod == "GET" else { return NetworkResponse(statusCode: 412) }
            let tag = loads.next() == 1 ? #"W/"7""# : #"W/"8""#
            return .json(#"{"id": "a", "name": "Theirs"}"#, headers: ["ETag": tag])
        }
        let loaded = ProductList(id: "a", name: "Old", version: #"W/"7""#)

        let theirs = ProductList(id: "a", name: "Theirs", version: #"W/"8""#)
        await #expect(throws: ListError.changed(current: theirs)) {
            try await manager.renameList(withID: "a", to: "Mine", ifUnchanged: loaded)
        }
    }

    // Rule: requests/weak-tag-is-compared-weakly (13)
    @Test func `a failure of the second attempt is thrown`() async throws {
        let writes = Counter()
        let manager = ListManager.contract { request in
            guard request.httpMethod == "GET" else {
                guard writes.next() == 1 else { throw NetworkError(.unreachable) }
                return NetworkResponse(statusCode: 412)
            }
            return .json(#"{"id": "a", "name": "Old"}"#, headers: ["ETag": #"W/"7""#])
        }
        let loaded = ProductList(id: "a", name: "Old", version: #"W/"7""#)

        await expectNetworkError(.unreachable) {
            try await manager.renameList(withID: "a", to: "New", ifUnchanged: loaded)
        }
    }
}
