// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceEngine

@Suite("Memory peak", .timeLimit(.minutes(10))) struct MemoryPeakTests {
    private func memory(_ process: Int32, _ resident: Int, peak: Int, files: Int = 0) -> ProcessMemory {
        ProcessMemory(process: process, resident: resident, peak: peak, ofFiles: files)
    }

    @Test("The memory of all processes is added, and shared pages count once")
    func sum() {
        var peak = MemoryPeak()
        peak.add(
            memory(1, 30, peak: 30, files: 20),
            [memory(2, 25, peak: 25, files: 18), memory(3, 22, peak: 22, files: 18)])
        #expect(peak.bytes == 30 + 7 + 4)
        peak.add(memory(1, 10, peak: 30), [])
        #expect(peak.bytes == 41, "the highest total, not the last")
    }

    @Test("A peak between two samples counts once")
    func between() {
        var peak = MemoryPeak()
        peak.add(memory(1, 30, peak: 30), [memory(2, 5, peak: 5), memory(3, 5, peak: 5)])
        peak.add(memory(1, 30, peak: 30), [memory(2, 5, peak: 100), memory(3, 5, peak: 5)])
        #expect(peak.bytes == 135)
        // A peak of another worker. The first one has released its memory since.
        peak.add(memory(1, 30, peak: 30), [memory(2, 5, peak: 100), memory(3, 5, peak: 90)])
        #expect(peak.bytes == 135)
    }

    @Test("The memory of the current process is known")
    func own() {
        let own = ProcessMemory.own
        #expect(own.resident > 1 << 20 && own.peak >= own.resident && own.ofFiles <= own.resident)
        #expect(ProcessMemory(of: 0) == nil)
    }
}

@Suite("Worker time", .timeLimit(.minutes(10))) struct WorkerTimeTests {
    @Test("The times of workers that have ended, and of later ones with the same number, are added")
    func sum() {
        var time = WorkerTime()
        time.add([(1, 2), (2, 3)])
        #expect(time.seconds == 5)
        time.add([(1, 2.5)])
        #expect(time.seconds == 5.5)
        time.add([(1, 0.5), (2, 0.25)])
        #expect(time.seconds == 6.25)
        time.add([])
        #expect(time.seconds == 6.25)
    }
}
