import ProductKit

extension NetworkError {
    /// Returns the code of the error that the body throws, or `nil` if it returns a response.
    ///
    /// - Throws: Any other error of the body.
    static func code(
        of body: () async throws -> NetworkResponse
    ) async throws -> NetworkError.Code? {
        do {
            _ = try await body()
            return nil
        } catch let error as NetworkError {
            return error.code
        }
    }
}
