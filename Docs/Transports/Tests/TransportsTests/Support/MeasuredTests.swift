import Testing

/// Tests that measure time or memory, one after the other.
///
/// Other processes can delay a measurement. A test with a maximum time therefore checks the
/// shortest of several attempts, because incorrect code would be late in every attempt.
@Suite(.serialized, .timeLimit(.minutes(5))) enum MeasuredTests {}
