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
            let asked = question.value(name) ?? ""
            // Most often a field is written the same way each time.
            return asked == value
                || name.hasPrefix("accept") && asked.isEqualIgnoringASCIICase(to: value)
                || question.selectingValue(name) == value
        }
    }
}
