// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceOrigin

@Suite("Connection table", .timeLimit(.minutes(10))) struct ConnectionTableTests {
    private let start = ContinuousClock.now

    private func table(perNetwork: Int = 3, total: Int = 5) -> ConnectionTable {
        ConnectionTable(requestTime: .seconds(10), perNetwork: perNetwork, total: total)
    }

    @Test("A network beyond its limit loses its oldest waiting connection, or the new one if all are busy")
    func perNetwork() {
        var table = table()
        for id in 1...3 as ClosedRange<UInt> { #expect(table.add(id, from: 7, now: start) == nil) }
        table.receiveRequest(1)
        #expect(table.add(4, from: 7, now: start) == 2)
        #expect(table.add(5, from: 8, now: start) == nil, "another network has room")
        for id in [3, 4] as [UInt] { table.receiveRequest(id) }
        #expect(table.add(6, from: 7, now: start) == 6)
        #expect(table.count == 4)
    }

    @Test("If the server is full, the network with the most connections makes room")
    func total() {
        var table = table()
        for id in 1...3 as ClosedRange<UInt> { _ = table.add(id, from: 7, now: start) }
        for id in 4...5 as ClosedRange<UInt> { _ = table.add(id, from: 8, now: start) }
        #expect(table.add(6, from: 9, now: start) == 1)
        #expect(table.count == 5)
    }

    @Test("A connection is overdue if its request is not complete in time, counted from the end of the last reply")
    func overdue() {
        var table = table()
        for id in 1...2 as ClosedRange<UInt> { _ = table.add(id, from: 7, now: start) }
        table.receiveRequest(2)
        #expect(table.removeOverdue(now: start + .seconds(9)) == [])
        #expect(table.removeOverdue(now: start + .seconds(10)) == [1])
        #expect(!table.hasWaiting)
        table.finishReply(2, now: start + .seconds(100))
        #expect(table.hasWaiting && table.removeOverdue(now: start + .seconds(109)) == [])
        #expect(table.removeOverdue(now: start + .seconds(110)) == [2] && table.count == 0)
    }

    @Test("Events of connections that were closed or have ended are ignored")
    func unknown() {
        var table = table()
        table.receiveRequest(1)
        table.finishReply(1, now: start)
        table.remove(1)
        #expect(table.count == 0 && !table.hasWaiting)
    }
}
