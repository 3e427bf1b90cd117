// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The most memory that a run's processes had together, as far as looks now and then tell: a pure value.
///
/// A decode may come and go between two looks: a process that has had more than ever before since the last one counts with
/// that. The pages of the program and its libraries, which the workers share with the main process, count once.
struct MemoryPeak: Sendable {
    /// The most so far, in bytes.
    private(set) var bytes = 0
    private var peaks: [Int32: Int] = [:]

    /// Takes in what the main process and its workers have.
    mutating func take(_ main: ProcessMemory, _ workers: [ProcessMemory]) {
        bytes = max(bytes, workers.reduce(counted(main)) { $0 + max(0, counted($1) - $1.ofFiles) })
        peaks = Dictionary((workers + [main]).map { ($0.process, $0.peak) }) { $1 }
    }

    private func counted(_ memory: ProcessMemory) -> Int {
        memory.peak > peaks[memory.process, default: 0] ? memory.peak : memory.resident
    }
}
