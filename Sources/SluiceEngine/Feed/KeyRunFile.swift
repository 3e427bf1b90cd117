// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceStore

/// A key with its number, as a run stores it.
struct KeyEntry: Sendable, Hashable {
    /// The number of bytes.
    static let size = 12

    let key: UInt
    let number: Int32

    init(key: UInt, number: Int32) { (self.key, self.number) = (key, number) }

    /// Reads an entry at an offset.
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

    /// Creates the file for at most this many entries.
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
