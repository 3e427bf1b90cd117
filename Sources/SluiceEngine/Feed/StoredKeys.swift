// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceStore

/// Maps keys to numbers, and keeps all but the newest on the disk: about 1.5 bytes of memory for each, and
/// twice that during a merge.
///
/// Keys are 64-bit hashes. The newest are in a dictionary. When it is full, they are written to a sorted file, a run,
/// and many runs are merged into one. Without a store all keys stay in memory, about 20 bytes each.
package struct StoredKeys: Sendable {
    private static let usualCapacity = 1 << 20
    private static let maxRuns = 16

    private let store: LocalStore?
    private let capacity: Int
    /// The keys in memory.
    ///
    /// A dictionary that grows needs the memory of the old and of the new one. These parts grow one after another.
    private var recent: [[Int: Int32]] = Array(repeating: [:], count: 8)
    private var recentCount = 0
    private var runs: [KeyRun] = []
    private(set) var count = 0

    package init(in store: LocalStore? = nil) { self.init(in: store, capacity: Self.usualCapacity) }

    init(in store: LocalStore?, capacity: Int) { (self.store, self.capacity) = (store, capacity) }

    /// Returns the number of a key; `nil` if it was not added.
    package func number(of key: Int) throws(FileError) -> Int32? {
        if let number = recent[part(of: key)][key] { return number }
        for run in runs {
            if let number = try run.number(of: UInt(bitPattern: key)) { return number }
        }
        return nil
    }

    /// Adds a key that was not added before.
    package mutating func add(_ key: Int, _ number: Int32) throws(FileError) {
        recent[part(of: key)][key] = number
        count += 1
        recentCount += 1
        guard let store, recentCount >= capacity else { return }
        runs.append(try recentRun(in: store))
        for part in recent.indices { recent[part].removeAll(keepingCapacity: true) }
        recentCount = 0
        if runs.count == Self.maxRuns { runs = [try KeyRun.merging(runs, in: store)] }
    }

    private func recentRun(in store: LocalStore) throws(FileError) -> KeyRun {
        var entries: [KeyEntry] = []
        entries.reserveCapacity(recentCount)
        for part in recent {
            for (key, number) in part { entries.append(KeyEntry(key: UInt(bitPattern: key), number: number)) }
        }
        entries.sort { $0.key < $1.key }
        var writer = try KeyRunWriter(in: store, upTo: entries.count)
        for entry in entries { try writer.append(entry) }
        return try writer.finish()
    }

    private func part(of key: Int) -> Int { Int(UInt(bitPattern: key) % UInt(recent.count)) }
}

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

/// A key with its number, as a run stores it.
struct KeyEntry: Sendable, Hashable {
    static let size = 12

    let key: UInt
    let number: Int32

    init(key: UInt, number: Int32) { (self.key, self.number) = (key, number) }

    init(_ bytes: [UInt8], at offset: Int) {
        var (key, number) = (UInt(0), UInt32(0))
        for index in 0..<8 { key = key << 8 | UInt(bytes[offset + index]) }
        for index in 8..<12 { number = number << 8 | UInt32(bytes[offset + index]) }
        self.init(key: key, number: Int32(bitPattern: number))
    }

    /// Adds the entry to bytes.
    func write(to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: key >> UInt(shift)))
        }
        let number = UInt32(bitPattern: number)
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
        }
    }
}

/// Writes a run, whose entries come in the order of their keys.
struct KeyRunWriter: ~Copyable {
    private static let bufferSize = 256 << 10
    private static let name = "keys"

    private let store: LocalStore
    private let file: NewFile
    private var filter: KeyFilter
    private var buffer: [UInt8] = []
    private var count = 0

    init(in store: LocalStore, upTo count: Int) throws(FileError) {
        self.store = store
        file = try store.create(Self.name)
        filter = KeyFilter(for: count)
        buffer.reserveCapacity(Self.bufferSize + KeyEntry.size)
    }

    mutating func append(_ entry: KeyEntry) throws(FileError) {
        entry.write(to: &buffer)
        filter.add(entry.key)
        count += 1
        guard buffer.count >= Self.bufferSize else { return }
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Completes the run; its file loses its name, so that a killed process leaves none.
    consuming func finish() throws(FileError) -> KeyRun {
        try file.write(buffer)
        let (store, filter, count) = (store, filter, count)
        let staged = try file.stage(flushed: false)
        defer { store.discard(staged) }
        return KeyRun(try store.open(staged.temporary), count: count, filter: filter)
    }
}

/// Reads the entries of a run in order.
struct KeyRunReader {
    private static let bufferCount = 4 << 10

    private let run: KeyRun
    private var entries: ArraySlice<KeyEntry> = []
    /// The position of the next entry to read.
    private var position = 0

    init(_ run: KeyRun) { self.run = run }

    /// Returns the next entry; `nil` at the end.
    mutating func next() throws(FileError) -> KeyEntry? {
        if entries.isEmpty {
            entries = try run.entries(from: position, count: Self.bufferCount)[...]
            position += entries.count
        }
        return entries.popFirst()
    }
}

/// Tells which keys a run certainly lacks: a Bloom filter with blocks of 512 bits, so that a query reads one of them.
///
/// Of the keys that the run lacks, about one in a hundred passes.
struct KeyFilter: Sendable {
    private static let bitsPerKey = 12
    /// The number of bits that a key sets in its block.
    private static let probes = 6
    private static let wordsPerBlock = 8

    private var words: [UInt64]

    init(for count: Int) {
        let blocks = max(1, (count * Self.bitsPerKey + 511) / 512)
        words = Array(repeating: 0, count: blocks * Self.wordsPerBlock)
    }

    mutating func add(_ key: UInt) {
        let block = firstWord(of: key)
        var bits = Self.bits(of: key)
        for _ in 0..<Self.probes {
            words[block + Int(bits >> 6 & 7)] |= 1 << (bits & 63)
            bits >>= 9
        }
    }

    func mayContain(_ key: UInt) -> Bool {
        let block = firstWord(of: key)
        var bits = Self.bits(of: key)
        for _ in 0..<Self.probes {
            guard words[block + Int(bits >> 6 & 7)] & 1 << (bits & 63) != 0 else { return false }
            bits >>= 9
        }
        return true
    }

    /// The block comes from the key's high bits.
    private func firstWord(of key: UInt) -> Int {
        Int(UInt64(key).multipliedFullWidth(by: UInt64(words.count / Self.wordsPerBlock)).high) * Self.wordsPerBlock
    }

    /// The bits come from all bits of the key, mixed as in SplitMix64.
    private static func bits(of key: UInt) -> UInt64 {
        var bits = UInt64(key) &* 0xBF58_476D_1CE4_E5B9
        bits ^= bits >> 27
        bits &*= 0x94D0_49BB_1331_11EB
        return bits >> 8
    }
}
