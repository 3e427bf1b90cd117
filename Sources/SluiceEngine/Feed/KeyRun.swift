// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceStore

/// A sorted file of keys with their numbers, which has no name, and a filter in memory.
final class KeyRun: Sendable {
    /// The number of entries that are read at a time to find one.
    private static let window = 256
    /// The number of guesses after which a search halves the range, because the keys are not evenly distributed.
    private static let guesses = 8

    let count: Int
    private let file: OpenFile
    private let filter: KeyFilter

    init(_ file: consuming OpenFile, count: Int, filter: KeyFilter) {
        (self.count, self.filter) = (count, filter)
        self.file = file
    }

    /// Merges runs without common keys.
    static func merging(_ runs: [KeyRun], in store: LocalStore) throws(FileError) -> KeyRun {
        var writer = try KeyRunWriter(in: store, upTo: runs.reduce(0) { $0 + $1.count })
        var readers = runs.map(KeyRunReader.init)
        var heads: [KeyEntry?] = []
        for index in readers.indices { heads.append(try readers[index].next()) }
        while true {
            var least: (entry: KeyEntry, index: Int)?
            for (index, head) in heads.enumerated() {
                guard let head else { continue }
                if least.map({ head.key < $0.entry.key }) ?? true { least = (head, index) }
            }
            guard let least else { return try writer.finish() }
            try writer.append(least.entry)
            heads[least.index] = try readers[least.index].next()
        }
    }

    /// Returns the number of a key; `nil` if the run lacks it.
    ///
    /// Usually the filter knows that. Otherwise the position of the key is guessed from its value.
    func number(of key: UInt) throws(FileError) -> Int32? {
        guard filter.mayContain(key) else { return nil }
        var (low, high) = (0, count)
        var (lowKey, highKey) = (UInt.min, UInt.max)
        var round = 0
        while low < high {
            let size = min(Self.window, high - low)
            let share = round < Self.guesses ? min(1, Double(key - lowKey) / max(1, Double(highKey - lowKey))) : 0.5
            let guess = low + Int(Double(high - low) * share) - size / 2
            let start = max(low, min(guess, high - size))
            let entries = try entries(from: start, count: size)
            let (first, last) = (entries[0].key, entries[size - 1].key)
            if key < first {
                (high, highKey) = (start, first)
            } else if key > last {
                (low, lowKey) = (start + size, last)
            } else {
                return entries.first { $0.key == key }?.number
            }
            round += 1
        }
        return nil
    }

    /// Reads entries; their number is smaller at the end of the run only.
    func entries(from position: Int, count: Int) throws(FileError) -> [KeyEntry] {
        let count = min(count, self.count - position)
        let bytes = try file.read(at: position * KeyEntry.size, count: count * KeyEntry.size)
        guard bytes.count == count * KeyEntry.size else {
            throw FileError(unreadable: file.path, because: "the file was changed")
        }
        return (0..<count).map { KeyEntry(bytes, at: $0 * KeyEntry.size) }
    }
}
