import Testing

/// Tests that measure time or memory, one after the other.
///
/// A test that measures time has the tag `timing`, because other processes can delay a measurement.
/// If its maximum time is short, it checks the shortest of several attempts, because incorrect code
/// would be late in every attempt.
@Suite(.serialized) enum MeasuredTests {}
