import Foundation

/// Range Requests (RFC 9110 §14), served from complete stored responses.
extension CachePolicy {
    /// Returns the part of a complete response that a `Range` requests, with status code 206.
    ///
    /// Returns the complete response if the range is not a single, satisfiable range of bytes, or
    /// if the response has a `Content-Encoding`: ranges count the encoded bytes, which are not
    /// stored.
    func response(_ response: NetworkResponse, toRange range: String?) -> NetworkResponse {
        guard let range, response.statusCode == 200,
            response.headers["Content-Encoding"] == nil,
            let bytes = bytes(of: range, within: response.body.count)
        else { return response }
        var part = response
        part.statusCode = 206
        let start = response.body.startIndex
        part.body = Data(response.body[(start + bytes.lowerBound)..<(start + bytes.upperBound)])
        part.headers["Content-Length"] = "\(bytes.count)"
        part.headers["Content-Range"] =
            "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(response.body.count)"
        return part
    }

    /// Parses `bytes=first-last`, `bytes=first-` or `bytes=-count` (§14.1.2).
    private func bytes(of range: String, within count: Int) -> Range<Int>? {
        let parts = range.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmingOWS.lowercased() == "bytes" else { return nil }
        let ends = parts[1].trimmingOWS.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let numbers = ends.map { String($0).deltaSeconds.map { Int($0) } }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last?) where first <= last && first < count:
            return first..<min(last + 1, count)
        case (let first?, nil) where ends[1].isEmpty && first < count:
            return first..<count
        case (nil, let length?) where ends[0].isEmpty && length > 0 && count > 0:
            return max(count - length, 0)..<count
        default:
            return nil
        }
    }
}
