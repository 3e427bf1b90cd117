// SPDX-License-Identifier: MIT

import CCurl
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The tests pass the time explicitly and never wait for a clock.
@Suite("Watchdog", .timeLimit(.minutes(10))) struct WatchdogTests {
    private let limit = Duration.seconds(300)

    @Test("A stuck item is cancelled and then ended as internal, and others continue")
    func stuck() async {
        let pool = WorkPool(width: 1, backlog: 10)
        let stuck = Gate(opensAt: .max)
        let begun = Gate(opensAt: 2)
        let causes = Locked<[Cause]>([])
        let ends = Locked<[String]>([])
        let begin = ContinuousClock.now
        pool.submit(host: "a") { slot in
            let handler = slot.token.onCancel { cause in causes.withLock { $0.append(cause) } }
            await begun.pass()
            // Ignore the token, as a bug would.
            await stuck.pass(countingIn: false)
            withExtendedLifetime(handler) {}
            ends.withLock { $0.append("late") }
        } dropped: { failure in
            ends.withLock { $0.append("\(failure.cause): \(failure.detail)") }
        }
        pool.submit(host: "b") { _ in
            ends.withLock { $0.append("next") }
        } dropped: { _ in
        }
        await begun.pass()
        pool.endOverdue(after: limit, now: begin + limit - .seconds(1))
        #expect(causes.withLock { $0 } == [])
        pool.endOverdue(after: limit, now: .now + limit)
        #expect(causes.withLock { $0 } == [.internal])
        #expect(ends.withLock { $0 } == [], "the item has a grace period of ten seconds")
        pool.endOverdue(after: limit, now: .now + limit + WorkPool.gracePeriod)
        await pool.waitUntilIdle()
        #expect(ends.withLock { $0 } == ["internal: \(WorkPool.stuckDetail)", "next"])
        stuck.open()
        while ends.withLock({ $0.count }) < 3 { await Task.yield() }
        // The stuck item's own end, when it finally comes, has no effect.
        pool.submit(host: "a") { _ in
            ends.withLock { $0.append("still a pool") }
        } dropped: { _ in
        }
        await pool.waitUntilIdle()
        #expect(ends.withLock { $0.last } == "still a pool")
    }

    @Test("An item that the watchdog has ended fails when it asks for another slot")
    func lateRequest() async {
        let pool = WorkPool(width: 1, backlog: 10)
        let begun = Gate(opensAt: 2)
        let late = Gate(opensAt: .max)
        let ends = Locked<[Failure]>([])
        pool.submit(host: "a") { slot in
            await begun.pass()
            await late.pass(countingIn: false)
            do throws(Failure) { try await slot.wait(for: .seconds(1)) } catch { ends.withLock { $0.append(error) } }
        } dropped: { failure in
            ends.withLock { $0.append(failure) }
        }
        await begun.pass()
        for delay in [.zero, WorkPool.gracePeriod] { pool.endOverdue(after: limit, now: .now + limit + delay) }
        await pool.waitUntilIdle()
        late.open()
        while ends.withLock({ $0.count }) < 2 { await Task.yield() }
        #expect(ends.withLock { $0.map(\.cause) } == [.internal, .internal])
    }

    /// The watchdog ran every 28 seconds, and counted the grace period from the limit: it cancelled and ended at once.
    @Test("However late the watchdog runs, a cancelled item has the whole grace period to end")
    func grace() async {
        let pool = WorkPool(width: 1, backlog: 10)
        let begun = Gate(opensAt: 2)
        let ends = Locked<[String]>([])
        pool.submit(host: "a") { slot in
            let cancelled = Gate(slot.token)
            await begun.pass()
            await cancelled.pass()
            ends.withLock { $0.append("ended by itself") }
        } dropped: { failure in
            ends.withLock { $0.append("\(failure.cause)") }
        }
        await begun.pass()
        pool.endOverdue(after: limit, now: .now + limit + WorkPool.gracePeriod * 3)
        await pool.waitUntilIdle()
        #expect(ends.withLock { $0 } == ["ended by itself"])
        #expect(WorkPool.watchInterval(for: .seconds(560)) <= WorkPool.gracePeriod / 4)
    }
}

@Suite("Sockets of the transfer loop", .timeLimit(.minutes(1))) struct SocketTableTests {
    /// The two ends of a connection; the near one is closed by the tests.
    private struct Ends: ~Copyable {
        let (near, far): (Int32, Int32)

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            (near, far) = (ends[0], ends[1])
        }

        func send() { unsafe "x".withCString { _ = unsafe write(far, $0, 1) } }

        deinit { close(far) }
    }

    /// A table with its wakeup pipe, which expectations can copy.
    private final class Table {
        let wakeup: WakeupPipe
        private var sockets: SocketTable

        init?() {
            guard let wakeup = WakeupPipe(), let sockets = SocketTable(wakeup: wakeup.readEnd) else { return nil }
            self.wakeup = wakeup
            self.sockets = sockets
        }

        func watch(_ socket: Int32, for events: Int32) { sockets.watch(socket, for: events) }

        func wait(milliseconds: Int32) -> [(socket: curl_socket_t, events: Int32)] {
            sockets.wait(milliseconds: milliseconds)
        }

        func isWatched(_ socket: Int32) -> Bool { sockets.isWatched(socket) }
    }

    @Test("A ready socket is reported until it is read or removed")
    func readyAndRemoved() throws {
        let table = try #require(Table())
        let ends = try Ends()
        defer { close(ends.near) }
        table.watch(ends.near, for: CURL_POLL_IN)
        #expect(table.wait(milliseconds: 0).isEmpty)
        ends.send()
        #expect(table.wait(milliseconds: 60_000).map(\.socket) == [ends.near])
        // It is reported until it is read.
        #expect(table.wait(milliseconds: 60_000).map(\.events) == [CURL_CSELECT_IN])
        table.watch(ends.near, for: CURL_POLL_REMOVE)
        #expect(!table.isWatched(ends.near))
        #expect(table.wait(milliseconds: 0).isEmpty)
    }

    @Test(
        "A socket with the number of one that libcurl removed and closed is watched",
        arguments: [CURL_POLL_IN, CURL_POLL_INOUT])
    func reusedNumber(_ events: Int32) throws {
        let table = try #require(Table())
        let first = try Ends()
        let second = try Ends()
        let number = first.near
        table.watch(number, for: CURL_POLL_IN)
        #expect(table.wait(milliseconds: 0).isEmpty)
        table.watch(number, for: CURL_POLL_REMOVE)
        // Closes the first socket in one step with giving its number away.
        #expect(dup2(second.near, number) == number)
        defer { for end in [number, second.near] { close(end) } }
        table.watch(number, for: events)
        second.send()
        #expect(table.wait(milliseconds: 60_000).map(\.socket) == [number])
    }

    @Test("The wakeup pipe ends a wait")
    func wakes() throws {
        let table = try #require(Table())
        table.wakeup.signal()
        #expect(table.wait(milliseconds: 60_000).isEmpty)
    }

    @Test("All ready sockets are reported at once")
    func manySockets() throws {
        let table = try #require(Table())
        var numbers: [Int32] = []
        defer { for number in numbers { close(number) } }
        let ends = try Ends()
        defer { close(ends.near) }
        ends.send()
        for _ in 0..<100 { numbers.append(dup(ends.near)) }
        for number in numbers { table.watch(number, for: CURL_POLL_IN) }
        #expect(Set(table.wait(milliseconds: 60_000).map(\.socket)) == Set(numbers))
    }
}
