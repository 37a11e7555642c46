import Foundation

extension Duration {
    /// How many of a unit it is, with one decimal place, written alike in every locale.
    func text(in unit: Duration) -> String {
        (self / unit).formatted(
            .number.precision(.fractionLength(1)).grouping(.never)
                .locale(Locale(identifier: "en_US_POSIX"))
        )
    }
}
