import Testing

/// The tests that measure time or memory, one after the other, so that none spoils another's figures.
///
/// What remains is the noise of a machine that does other work: where a time is bounded from above,
/// the best of several attempts counts, and code that is wrong is late every time.
@Suite(.serialized, .timeLimit(.minutes(5))) enum MeasuredTests {}
