// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The sizes of many objects by the hashes of their keys.
///
/// An object takes 16 bytes: most are in a sorted array, and recent changes in a dictionary.
struct ObjectSizes: Sendable {
    /// Changes are merged into the array if they are more than this, and more than an eighth of it.
    private static let minMerged = 1 << 15

    private struct Entry {
        var hash: Int
        var size: Int
    }

    private var sorted: [Entry] = []
    private var changes: [Int: Int?] = [:]

    /// The size of an object; `nil` if it does not exist.
    subscript(key: String) -> Int? {
        get {
            let hash = Fingerprint(key).value
            if let change = changes[hash] { return change }
            let index = sorted.partitioningIndex { $0.hash >= hash }
            return index < sorted.count && sorted[index].hash == hash ? sorted[index].size : nil
        }
        set {
            changes.updateValue(newValue, forKey: Fingerprint(key).value)
            if changes.count > max(Self.minMerged, sorted.count / 8) { merge() }
        }
    }

    private mutating func merge() {
        sorted.removeAll { changes[$0.hash] != nil }
        for case (let hash, let size?) in changes { sorted.append(Entry(hash: hash, size: size)) }
        changes = [:]
        sorted.sort { $0.hash < $1.hash }
    }
}

extension Array {
    /// The index of the first element that satisfies a condition, which all later ones satisfy, too.
    fileprivate func partitioningIndex(where isLater: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isLater(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
