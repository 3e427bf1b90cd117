// SPDX-License-Identifier: MIT

import CCurl
import Testing

@testable import SluiceTransfer

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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
