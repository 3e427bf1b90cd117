// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The highest total memory of a run's processes, computed from periodic samples.
///
/// A decode may begin and end between two samples. A process whose own peak has risen since the last sample therefore
/// counts with that peak. Pages of the program and its libraries, which workers share with the main process, count once.
struct MemoryPeak: Sendable {
    /// The highest total so far.
    private(set) var bytes = 0
    private var peaks: [Int32: Int] = [:]

    /// Adds a sample of the main process and its workers.
    mutating func add(_ main: ProcessMemory, _ workers: [ProcessMemory]) {
        bytes = max(bytes, workers.reduce(usage(of: main)) { $0 + max(0, usage(of: $1) - $1.ofFiles) })
        peaks = Dictionary((workers + [main]).map { ($0.process, $0.peak) }) { $1 }
    }

    private func usage(of memory: ProcessMemory) -> Int {
        memory.peak > peaks[memory.process, default: 0] ? memory.peak : memory.resident
    }
}
