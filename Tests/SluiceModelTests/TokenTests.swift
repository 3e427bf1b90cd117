// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Token") struct TokenTests {
    @Test("Cancelling reaches everything below and nothing beside or above")
    func tree() {
        let run = Token()
        let host = Token(below: run)
        let item = Token(below: host)
        let other = Token(below: run)
        host.cancel(.timeout)
        #expect(item.isCancelled && item.cause == .timeout)
        #expect(!run.isCancelled && !other.isCancelled)
        run.cancel()
        #expect(other.cause == .cancelled)
        #expect(host.cause == .timeout, "the first cause stays")
    }

    @Test("A handler is called once, at once if it comes late, and not after it went")
    func handlers() {
        let calls = Locked<[String]>([])
        let token = Token()
        let early = token.onCancel { _ in calls.withLock { $0.append("early") } }
        do { _ = token.onCancel { _ in calls.withLock { $0.append("gone") } } }
        token.cancel(.policy)
        token.cancel(.timeout)
        let late = token.onCancel { cause in calls.withLock { $0.append("late \(cause)") } }
        withExtendedLifetime((early, late)) {}
        #expect(calls.withLock { $0 } == ["early", "late policy"])
    }

    @Test("A token below a cancelled one is cancelled from the start")
    func bornCancelled() {
        let run = Token()
        run.cancel()
        #expect(Token(below: run).isCancelled)
    }

    @Test("Whoever is told first finds the whole tree cancelled")
    func markedFirst() {
        let run = Token()
        let items = (0..<20).map { _ in Token(below: run) }
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
        let token = Token()
        try token.check()
        token.cancel(.timeout)
        #expect(throws: Failure(.timeout, "")) { try token.check() }
    }

    @Test("Tokens that ended leave nothing with the token above them")
    func release() {
        let run = Token()
        weak var gone: Token?
        do {
            let item = Token(below: run)
            gone = item
        }
        #expect(gone == nil)
        run.cancel()
    }
}
