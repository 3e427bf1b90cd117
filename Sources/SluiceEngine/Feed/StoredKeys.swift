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
    /// The number of keys in memory.
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
