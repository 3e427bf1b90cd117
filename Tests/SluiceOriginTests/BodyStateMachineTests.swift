// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceOrigin

@Suite("Body state machine", .timeLimit(.minutes(10))) struct BodyFlowTests {
    @Test("Without a fault the body fills the available capacity") func plain() {
        var body = BodyStateMachine(length: 100, fault: nil, bandwidth: nil)
        #expect(body.next(capacity: 64, after: .zero) == .send(64))
        #expect(body.next(capacity: 64, after: .zero) == .send(36))
        #expect(body.next(capacity: 64, after: .zero) == .end)
    }

    @Test("The bandwidth limit holds exactly, for any pauses", arguments: [1, 40, 1000, 3_000_000])
    func bandwidth(rate: Int) {
        let length = rate * 2
        var body = BodyStateMachine(length: length, fault: nil, bandwidth: rate)
        var now = Duration.zero
        while true {
            switch body.next(capacity: 65536, after: now) {
            case .send: #expect(Double(body.sent) <= Double(rate) * now.seconds + 1)
            case .wait(let time): now += time
            case .end:
                #expect(body.sent == length)
                #expect(abs(now.seconds - 2) < 0.05)
                return
            case .stall, .cut:
                Issue.record("unexpected stall or cut")
                return
            }
        }
    }

    @Test("A cut happens after its bytes and is permanent", arguments: [0, 7, 100])
    func cuts(at count: Int) {
        var body = BodyStateMachine(length: 100, fault: .cut(afterBytes: count), bandwidth: nil)
        if count > 0 { #expect(body.next(capacity: 1000, after: .zero) == .send(count)) }
        #expect(body.next(capacity: 1000, after: .zero) == .cut)
        #expect(body.next(capacity: 1000, after: .zero) == .cut)
    }

    @Test("A dripped piece waits for its interval, and late pieces catch up") func drip() {
        var body = BodyStateMachine(length: 10, fault: .drip(bytes: 2, every: .seconds(1)), bandwidth: nil)
        guard case .wait(let time) = body.next(capacity: 100, after: .zero) else {
            Issue.record("the first piece was sent immediately")
            return
        }
        #expect(abs(time.seconds - 1) < 0.01)
        #expect(body.next(capacity: 100, after: .seconds(1)) == .send(2))
        #expect(body.next(capacity: 100, after: .seconds(4)) == .send(6))
    }
}
