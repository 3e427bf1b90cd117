// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Cancellation token", .timeLimit(.minutes(10))) struct CancellationTokenTests {
    @Test("Cancelling a token reaches its descendants and no other tokens")
    func tree() {
        let run = CancellationToken()
        let host = CancellationToken(below: run)
        let item = CancellationToken(below: host)
        let other = CancellationToken(below: run)
        host.cancel(.timeout)
        #expect(item.isCancelled && item.cause == .timeout)
        #expect(!run.isCancelled && !other.isCancelled)
        run.cancel()
        #expect(other.cause == .cancelled)
        #expect(host.cause == .timeout, "the first cause is kept")
    }

    @Test("A handler is called once, immediately if it is registered late, and not after its release")
    func handlers() {
        let calls = Locked<[String]>([])
        let token = CancellationToken()
        let early = token.onCancel { _ in calls.withLock { $0.append("early") } }
        do { _ = token.onCancel { _ in calls.withLock { $0.append("gone") } } }
        token.cancel(.policy)
        token.cancel(.timeout)
        let late = token.onCancel { cause in calls.withLock { $0.append("late \(cause)") } }
        withExtendedLifetime((early, late)) {}
        #expect(calls.withLock { $0 } == ["early", "late policy"])
    }

    @Test("A child of a cancelled token is cancelled from the start")
    func bornCancelled() {
        let run = CancellationToken()
        run.cancel()
        #expect(CancellationToken(below: run).isCancelled)
    }

    @Test("The first handler sees the whole tree as cancelled")
    func markedFirst() {
        let run = CancellationToken()
        let items = (0..<20).map { _ in CancellationToken(below: run) }
        let seen = Locked<[Bool]>([])
        let handlers = items.map { item in
            item.onCancel { _ in seen.withLock { $0.append(items.allSatisfy(\.isCancelled)) } }
        }
        run.cancel()
        withExtendedLifetime(handlers) {}
        #expect(seen.withLock { $0 } == Array(repeating: true, count: 20))
    }

    @Test("check() throws the cause")
    func check() throws {
        let token = CancellationToken()
        try token.check()
        token.cancel(.timeout)
        #expect(throws: Failure(.timeout, "")) { try token.check() }
    }

    @Test("A released token is removed from its parent")
    func release() {
        let run = CancellationToken()
        weak var gone: CancellationToken?
        do {
            let item = CancellationToken(below: run)
            gone = item
        }
        #expect(gone == nil)
        run.cancel()
    }
}
