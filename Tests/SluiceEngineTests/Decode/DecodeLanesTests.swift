// SPDX-License-Identifier: MIT

import Dispatch
import SluiceImaging
import SluiceModel
import Testing

@testable import SluiceEngine

@Suite("Decode lanes", .timeLimit(.minutes(10))) struct DecodeLanesTests {
    private func lanes(_ count: Int, rest: Duration = .zero) -> DecodeLanes {
        DecodeLanes(
            (0..<count).map { _ in InProcessDecoder(thumbnailer: Thumbnailer(ThumbnailOptions())) }, rest: rest)
    }

    /// Adds a job that reports its start and then waits for `gate`.
    private func addBlockingJob(to lanes: DecodeLanes, until gate: DispatchSemaphore) -> OneShot<Void> {
        let started = OneShot<Void>()
        _ = lanes.add { _ in
            started.set(())
            gate.wait()
        }
        return started
    }

    @Test("As many jobs run at a time as there are lanes, and the others follow in their order")
    func order() async {
        let (lanes, gate, end) = (lanes(2), DispatchSemaphore(value: 0), OneShot<Void>())
        for started in [addBlockingJob(to: lanes, until: gate), addBlockingJob(to: lanes, until: gate)] {
            await started.value()
        }
        let order = Locked<[Int]>([])
        for number in 1...100 {
            _ = lanes.add { _ in
                let count = order.withLock { order in
                    order.append(number)
                    return order.count
                }
                if count == 100 { end.set(()) }
            }
        }
        #expect(order.withLock { $0.isEmpty })
        // One lane works, so that the order is certain.
        gate.signal()
        await end.value()
        #expect(order.withLock { $0 } == Array(1...100))
        gate.signal()
    }

    @Test("A waiting job can be removed, and one that a lane has taken cannot")
    func removing() async {
        let (lanes, gate, last) = (lanes(1), DispatchSemaphore(value: 0), OneShot<Void>())
        let (first, hasRun) = (OneShot<Void>(), Locked(false))
        let running = lanes.add { _ in
            first.set(())
            gate.wait()
        }
        await first.value()
        let waiting = lanes.add { _ in hasRun.withLock { $0 = true } }
        _ = lanes.add { _ in last.set(()) }
        #expect(!lanes.remove(running))
        #expect(lanes.remove(waiting) && !lanes.remove(waiting))
        gate.signal()
        await last.value()
        #expect(!hasRun.withLock { $0 })
    }

    @Test("Work for an idle lane is refused if all lanes are busy, and gives way to the next job")
    func onlyIdle() async {
        let (lanes, gate, end) = (lanes(2), DispatchSemaphore(value: 0), OneShot<Void>())
        let (inWork, workGate) = (OneShot<Void>(), DispatchSemaphore(value: 0))
        await addBlockingJob(to: lanes, until: gate).value()
        let isTaken = lanes.addIfIdle { _ in
            inWork.set(())
            workGate.wait()
        }
        #expect(isTaken)
        await inWork.value()
        #expect(!lanes.addIfIdle { _ in })
        _ = lanes.add { _ in end.set(()) }
        workGate.signal()
        await end.value()
        gate.signal()
    }

    @Test("A lane helps before its first job, and after it only when it has been idle for some time")
    func rest() async {
        let lanes = lanes(1, rest: .seconds(3600))
        for _ in 1...3 {
            let help = OneShot<Void>()
            // The lane is busy for a moment after its last help.
            while !lanes.addIfIdle({ _ in help.set(()) }) { await Task.yield() }
            await help.value()
        }
        let end = OneShot<Void>()
        _ = lanes.add { _ in end.set(()) }
        await end.value()
        for _ in 1...100 {
            #expect(!lanes.addIfIdle { _ in })
            await Task.yield()
        }
    }

    @Test("An idle lane takes a job again after it has run out of jobs")
    func idle() async {
        let lanes = lanes(1)
        for _ in 1...1000 {
            let end = OneShot<Void>()
            _ = lanes.add { _ in end.set(()) }
            await end.value()
        }
    }
}
