// SPDX-License-Identifier: MIT

import Dispatch
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceStore

@Suite("RequestThreads", .timeLimit(.minutes(5))) struct RequestThreadsTests {
    @Test("All calls are made, never more at a time than there may be threads")
    func width() {
        let threads = RequestThreads(width: 3)
        let counts = Locked((now: 0, most: 0, all: 0))
        for _ in 0..<20 {
            threads.forEach(Array(0..<50)) { _ in
                counts.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                    $0.all += 1
                }
                counts.withLock { $0.now -= 1 }
            }
        }
        threads.forEach([Int]()) { _ in Issue.record("no element") }
        #expect(counts.withLock { $0.all == 1000 && $0.now == 0 && (1...3).contains($0.most) })
    }

    @Test("Calls of another caller begin while one is still running, on the threads that are left")
    func sharing() async {
        let threads = RequestThreads(width: 2)
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let first: Void = DedicatedThread.run {
            threads.forEach([0]) { _ in
                began.signal()
                mayEnd.wait()
            }
        }
        await DedicatedThread.run {
            began.wait()
            let order = Locked<[Int]>([])
            threads.forEach([1, 2, 3]) { number in order.withLock { $0.append(number) } }
            // One thread is left, which keeps the order.
            #expect(order.withLock { $0 } == [1, 2, 3])
            mayEnd.signal()
        }
        await first
    }

    /// A store was never released, because its threads kept its calls.
    @Test("Calls are released after they were made, and so are threads that their own calls refer to")
    func release() async throws {
        weak var released: RequestThreads?
        do {
            let threads = RequestThreads(width: 2)
            released = threads
            threads.forEach([1, 2, 3]) { _ in withExtendedLifetime(threads) {} }
        }
        try await wait(for: "the release") { released == nil }
    }
}
