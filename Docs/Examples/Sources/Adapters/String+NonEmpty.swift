extension String {
    /// The text, or `nil` if it is empty, as several backends write a missing one.
    var nonEmpty: String? { isEmpty ? nil : self }
}
