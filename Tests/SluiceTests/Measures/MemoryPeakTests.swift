// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import Sluice

@Suite("Memory peak") struct MemoryPeakTests {
    private func memory(_ process: Int32, _ resident: Int, peak: Int, files: Int = 0) -> ProcessMemory {
        ProcessMemory(process: process, resident: resident, peak: peak, ofFiles: files)
    }

    @Test("What all processes have at a time counts, and what they share counts once")
    func sum() {
        var peak = MemoryPeak()
        peak.take(
            memory(1, 30, peak: 30, files: 20),
            [memory(2, 25, peak: 25, files: 18), memory(3, 22, peak: 22, files: 18)])
        #expect(peak.bytes == 30 + 7 + 4)
        peak.take(memory(1, 10, peak: 30), [])
        #expect(peak.bytes == 41, "the most, not the last")
    }

    @Test("What a decode took between two looks counts with them, and once")
    func between() {
        var peak = MemoryPeak()
        peak.take(memory(1, 30, peak: 30), [memory(2, 5, peak: 5), memory(3, 5, peak: 5)])
        peak.take(memory(1, 30, peak: 30), [memory(2, 5, peak: 100), memory(3, 5, peak: 5)])
        #expect(peak.bytes == 135)
        // Another one's turn: the first has long given back what it had.
        peak.take(memory(1, 30, peak: 30), [memory(2, 5, peak: 100), memory(3, 5, peak: 90)])
        #expect(peak.bytes == 135)
    }

    @Test("A process knows what it has itself")
    func own() {
        let own = ProcessMemory.own
        #expect(own.resident > 1 << 20 && own.peak >= own.resident && own.ofFiles <= own.resident)
        #expect(ProcessMemory(of: 0) == nil)
    }
}
