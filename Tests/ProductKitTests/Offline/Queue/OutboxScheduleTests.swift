import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxScheduleTests {
    // Rule: outbox/delays-grow-with-jitter (37)
    @Test func `the delays of a target grow to 300 seconds, and are random below that`() {
        var schedule = OutboxSchedule()

        let ranges = (0..<11).map { _ in schedule.fail("boots") }

        #expect(ranges == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { 0.1...$0 })
        #expect(schedule.nextWaitEnd == .seconds(150))
    }

    // Rule: outbox/delays-grow-with-jitter (37)
    @Test func `a response ends the failures in a row`() {
        var schedule = OutboxSchedule()

        for _ in 0..<2 {
            for bound in [1.0, 2] {
                #expect(schedule.fail("boots") == 0.1...bound)
                #expect(schedule.failAll() == 0.1...bound)
            }
            schedule.succeed("boots")
        }
    }

    // Rule: outbox/outage-delays-everything (38)
    @Test func `an outage delays every target, and attempts that fail together count once`() {
        var schedule = OutboxSchedule()

        #expect((0..<4).map { _ in schedule.failAll(inRound: 0) } == [0.1...1, nil, nil, nil])
        #expect(schedule.nextWaitEnd == .seconds(0.5))
        schedule.endWaits(until: .seconds(0.4))
        #expect(!schedule.permitsSending)
        schedule.endWaits(until: .seconds(0.5))
        #expect(schedule.permitsSending)

        #expect(schedule.failAll() == 0.1...2)
    }

    // Rule: outbox/delays-grow-with-jitter (37)
    @Test func `a server that requires no delay does not end the growing delays`() {
        var schedule = OutboxSchedule()

        let ranges = (0..<3).map { _ in schedule.failAll(required: .zero) }

        #expect(ranges == [0.1...1, 0.1...2, 0.1...4])
        #expect(!schedule.permitsSending)
    }

    // Rule: outbox/user-ends-delays (39)
    @Test func `an edit ends the outage and the delay of its target only`() {
        var schedule = OutboxSchedule()
        for target in ["boots", "socks"] as [Outbox.Edit.Target] { schedule.fail(target) }
        schedule.failAll()

        schedule.endWaits(of: "boots")

        #expect(schedule.permitsSending)
        #expect(!schedule.isWaiting("boots") && schedule.isWaiting("socks"))
    }

    // Rule: outbox/user-ends-delays (39)
    @Test func `resuming ends all delays and the wait for a sign-in`() {
        var schedule = OutboxSchedule()
        schedule.fail("boots")
        schedule.failAll()
        schedule.waitForSignIn()

        schedule.endWaits()

        #expect(schedule.permitsSending && !schedule.isWaiting("boots"))
        #expect(schedule.nextWaitEnd == nil)
    }

    // Rule: outbox/server-delay-is-kept (40)
    @Test func `a delay that the server requires is ended only by time`() {
        var schedule = OutboxSchedule()
        schedule.failAll(required: .seconds(30))
        // Another attempt of the same time that fails with a shorter delay, or without any.
        schedule.failAll(inRound: 0, required: .seconds(10))
        schedule.failAll()

        schedule.endWaits()
        schedule.endWaits(of: "boots")

        #expect(schedule.isBlocked(at: .seconds(29)))
        #expect(!schedule.permitsSending)
        #expect(!schedule.isBlocked(at: .seconds(30)))
        schedule.endWaits(until: .seconds(30))
        #expect(schedule.permitsSending)
    }

    // Rule: outbox/sign-in-resumes-sending (42)
    @Test func `nothing is sent without a valid sign-in, also after an edit`() {
        var schedule = OutboxSchedule()
        schedule.waitForSignIn()

        schedule.endWaits(of: "boots")
        schedule.endWaits(until: .seconds(1_000))

        #expect(!schedule.permitsSending && schedule.isBlocked(at: .zero))
        #expect(schedule.nextWaitEnd == nil)
    }

    // Rule: outbox/conflict-repeats-four-times (43)
    @Test func `a change is sent again after four conflicts in a row`() {
        var schedule = OutboxSchedule()
        func conflict() -> Bool {
            schedule.delayAfterConflict("boots", at: .zero) { _ in 0 }
        }

        #expect((0..<5).map { _ in conflict() } == [true, true, true, true, false])
        schedule.endConflicts(of: "boots")
        #expect((0..<5).map { _ in conflict() } == [true, true, true, true, false])
        schedule.succeed("boots")
        #expect(conflict())
    }
}

extension OutboxSchedule {
    /// Delays a target by half of the longest possible delay, and returns the possible delays.
    @discardableResult
    fileprivate mutating func fail(_ target: Outbox.Edit.Target) -> ClosedRange<Double>? {
        var range: ClosedRange<Double>?
        delay(target, at: .zero) { possible in
            range = possible
            return possible.upperBound / 2
        }
        return range
    }

    /// Delays all targets in the same way; returns `nil` if no random delay was needed.
    @discardableResult
    fileprivate mutating func failAll(
        inRound round: Int? = nil,
        required: Duration? = nil
    ) -> ClosedRange<Double>? {
        var range: ClosedRange<Double>?
        delayAll(required: required, round: round ?? self.round, at: .zero) { possible in
            range = possible
            return possible.upperBound / 2
        }
        return range
    }
}

extension Outbox.Edit.Target: ExpressibleByStringLiteral {
    /// Creates the target of a product's favorite status.
    public init(stringLiteral value: String) {
        self = .favorite(Product.ID(value))
    }
}
