import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxScheduleTests {
    // Rule: outbox/delays-grow-with-jitter (37)
    @Test func `the delays of a target grow to 300 seconds, and are random below that`() {
        var schedule = OutboxSchedule()
        var bounds: [ClosedRange<Double>] = []

        for _ in 0..<11 {
            schedule.delay("boots", at: .zero) { range in
                bounds.append(range)
                return range.upperBound / 2
            }
        }

        #expect(bounds.map(\.lowerBound).allSatisfy { $0 == 0 })
        #expect(bounds.map(\.upperBound) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        #expect(schedule.nextWaitEnd == .seconds(150))
    }

    // Rule: outbox/delays-grow-with-jitter (37)
    @Test func `a response ends the failures in a row`() {
        var schedule = OutboxSchedule()
        var bounds: [Double] = []
        func fail() {
            schedule.delay("boots", at: .zero) {
                bounds.append($0.upperBound); return 0
            }
        }
        func failAll() {
            schedule.delayAll(required: nil, round: schedule.round, at: .zero) {
                bounds.append($0.upperBound)
                return 0
            }
        }

        for _ in 0..<2 {
            for _ in 0..<2 {
                fail()
                failAll()
            }
            schedule.succeed("boots")
        }

        #expect(bounds == [1, 1, 2, 2, 1, 1, 2, 2])
    }

    // Rule: outbox/outage-delays-everything (38)
    @Test func `an outage delays every target, and attempts that fail together count once`() {
        var schedule = OutboxSchedule()
        var bounds: [Double] = []
        let round = schedule.round

        for _ in 0..<4 {
            schedule.delayAll(required: nil, round: round, at: .zero) {
                bounds.append($0.upperBound)
                return 1
            }
        }

        #expect(bounds == [1])
        #expect(schedule.nextWaitEnd == .seconds(1))
        schedule.endWaits(until: .seconds(0.9))
        #expect(!schedule.permitsSending)
        schedule.endWaits(until: .seconds(1))
        #expect(schedule.permitsSending)

        schedule.delayAll(required: nil, round: schedule.round, at: .seconds(1)) {
            bounds.append($0.upperBound)
            return 1
        }
        #expect(bounds == [1, 2])
    }

    // Rule: outbox/user-ends-delays (39)
    @Test func `an edit ends the outage and the delay of its target only`() {
        var schedule = OutboxSchedule()
        for target in ["boots", "socks"] as [Outbox.Edit.Target] {
            schedule.delay(target, at: .zero) { _ in 60 }
        }
        schedule.delayAll(required: nil, round: 0, at: .zero) { _ in 60 }

        schedule.endWaits(of: "boots")

        #expect(schedule.permitsSending)
        #expect(!schedule.isWaiting("boots") && schedule.isWaiting("socks"))
    }

    // Rule: outbox/user-ends-delays (39)
    @Test func `resuming ends all delays and the wait for a sign-in`() {
        var schedule = OutboxSchedule()
        schedule.delay("boots", at: .zero) { _ in 60 }
        schedule.delayAll(required: nil, round: 0, at: .zero) { _ in 60 }
        schedule.waitForSignIn()

        schedule.endWaits()

        #expect(schedule.permitsSending && !schedule.isWaiting("boots"))
        #expect(schedule.nextWaitEnd == nil)
    }

    // Rule: outbox/delays-grow-with-jitter (37)
    @Test func `a server that requires no delay does not end the growing delays`() {
        var schedule = OutboxSchedule()
        var bounds: [Double] = []

        for _ in 0..<3 {
            schedule.delayAll(required: .zero, round: schedule.round, at: .zero) {
                bounds.append($0.upperBound)
                return 1
            }
        }

        #expect(bounds == [1, 2, 4] && !schedule.permitsSending)
    }

    // Rule: outbox/server-delay-is-kept (40)
    @Test func `a delay that the server requires is ended only by time`() {
        var schedule = OutboxSchedule()
        schedule.delayAll(required: .seconds(30), round: 0, at: .zero) { _ in 0 }
        // Another attempt of the same time that fails with a shorter delay, or without any.
        schedule.delayAll(required: .seconds(10), round: 0, at: .zero) { _ in 0 }
        schedule.delayAll(required: nil, round: schedule.round, at: .zero) { _ in 0 }

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
        #expect(!schedule.permitsSending)
        #expect(schedule.nextWaitEnd == nil)
        #expect(schedule.isBlocked(at: .zero))
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

extension Outbox.Edit.Target: ExpressibleByStringLiteral {
    /// Creates the target of a product's favorite status.
    public init(stringLiteral value: String) {
        self = .favorite(Product.ID(value))
    }
}
