// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The sizes of all objects below a prefix, from one listing and from the changes of their only writer.
final class S3Index: Sendable {
    private let client: S3Client
    private let prefix: String
    /// `nil` until the first question.
    private let sizes = Locked<ObjectSizes?>(nil)

    init(_ client: S3Client, prefix: String) {
        self.client = client
        self.prefix = prefix
    }

    /// Returns the size of an object, `nil` if it does not exist; lists the objects before the first answer.
    func size(of key: String) throws(S3Error) -> Int? {
        try sizes.withLock { sizes throws(S3Error) in
            if let sizes { return sizes[key] }
            var listed = ObjectSizes()
            var listing = S3Listing(client, prefix: prefix)
            while let page = try listing.next() {
                for object in page.objects { listed[object.key] = object.size }
            }
            sizes = listed
            return listed[key]
        }
    }

    /// Records a change; `nil` is a removal.
    func set(_ size: Int?, of key: String) {
        sizes.withLock { $0?[key] = size }
    }
}

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
