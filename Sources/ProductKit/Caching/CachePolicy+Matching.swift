/// Calculating Cache Keys with the Vary Header Field (RFC 9111 §4.1).
extension CachePolicy {
    /// The newest answer that was given to a question like this one.
    func match(_ question: CacheQuestion, among variants: [CachedResponse]) -> CachedResponse? {
        variants.first { variant in
            variant.stored.selectingFields.isEmpty || matches(variant.stored, question)
        }
    }

    private func matches(_ stored: StoredResponse, _ question: CacheQuestion) -> Bool {
        stored.selectingFields.allSatisfy { name, value in
            // Most often a field is written the same way each time.
            question.value(name) == value || question.selectingValue(name) == value
        }
    }
}
