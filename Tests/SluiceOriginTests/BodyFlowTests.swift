// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceOrigin

@Suite("Body flow") struct BodyFlowTests {
    @Test("without a fault the body goes as fast as there is room") func plain() {
        var flow = BodyFlow(length: 100, fault: nil, bandwidth: nil)
        #expect(flow.next(room: 64, after: .zero) == .send(64))
        #expect(flow.next(room: 64, after: .zero) == .send(36))
        #expect(flow.next(room: 64, after: .zero) == .end)
    }

    @Test("a bandwidth is kept exactly, whatever the pauses", arguments: [1, 40, 1000, 3_000_000])
    func bandwidth(rate: Int) {
        let length = rate * 2
        var flow = BodyFlow(length: length, fault: nil, bandwidth: rate)
        var now = Duration.zero
        while true {
            switch flow.next(room: 65536, after: now) {
            case .send: #expect(Double(flow.sent) <= Double(rate) * now.seconds + 1)
            case .wait(let time): now += time
            case .end:
                #expect(flow.sent == length)
                #expect(abs(now.seconds - 2) < 0.05)
                return
            case .stall, .cut:
                Issue.record("nothing was to break")
                return
            }
        }
    }

    @Test("a break comes after its bytes and stays", arguments: [0, 7, 100])
    func breaks(at place: Int) {
        var flow = BodyFlow(length: 100, fault: .cut(afterBytes: place), bandwidth: nil)
        if place > 0 { #expect(flow.next(room: 1000, after: .zero) == .send(place)) }
        #expect(flow.next(room: 1000, after: .zero) == .cut)
        #expect(flow.next(room: 1000, after: .zero) == .cut)
    }

    @Test("a drop waits its time, and late drops catch up") func drip() {
        var flow = BodyFlow(length: 10, fault: .drip(bytes: 2, every: .seconds(1)), bandwidth: nil)
        guard case .wait(let time) = flow.next(room: 100, after: .zero) else {
            Issue.record("the first drop came at once")
            return
        }
        #expect(abs(time.seconds - 1) < 0.01)
        #expect(flow.next(room: 100, after: .seconds(1)) == .send(2))
        #expect(flow.next(room: 100, after: .seconds(4)) == .send(6))
    }
}
