// SPDX-License-Identifier: MIT

package import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// The photos of a mirror that are identical or look alike.
public struct Duplicates: Sendable, Hashable {
    /// A group of identical or similar photos.
    public struct Group: Sendable, Hashable {
        /// The originals, ordered by item.
        public let files: [File]
        /// Whether the files have the same bytes; otherwise they look alike.
        public let isIdentical: Bool
        /// The host that probably sends this file in place of missing photos; `nil` if there is no sign of that.
        public let placeholderHost: String?
    }

    /// A photo's original.
    public struct File: Sendable, Hashable {
        /// The item's sequence number.
        public let item: Int
        /// The path, relative to the mirror's folder.
        public let path: String
        /// The size in bytes.
        public let bytes: Int
    }

    /// The largest distance that is supported, in bits of the 64-bit perceptual hash.
    package static var maxDistance: Int { HammingIndex.maxDistance }

    /// At least this many identical photos from one host are taken for the host's placeholder.
    static let minPlaceholderCount = 5

    /// Groups of identical photos, largest first, then groups of similar ones.
    public let groups: [Group]

    /// Finds the groups; similar photos differ in at most `distance` bits of their perceptual hashes.
    package init(of ledger: Ledger, distance: Int) throws(LedgerError) {
        let byContent = Dictionary(grouping: try ledger.originalsWithSharedContent(), by: \.sha256)
        let identical = byContent.values.map(Self.group).sorted {
            ($1.files.count, $0.files[0].item) < ($0.files.count, $1.files[0].item)
        }
        groups = try identical + Self.similar(in: ledger, distance)
    }

    private static func group(_ originals: [Original]) -> Group {
        let hosts = Set(originals.map { $0.url.flatMap { WebAddress($0) }?.host ?? "" })
        let isPlaceholder = originals.count >= minPlaceholderCount && hosts.count == 1 && hosts != [""]
        return Group(
            files: originals.map { File(item: $0.seq, path: $0.path, bytes: $0.bytes) }, isIdentical: true,
            placeholderHost: isPlaceholder ? hosts.first : nil)
    }

    private static func similar(in ledger: Ledger, _ distance: Int) throws(LedgerError) -> [Group] {
        // Compare each distinct hash once: blank pages would otherwise all be compared with each other.
        let prints = try ledger.perceptualHashes()
        let byHash = Dictionary(grouping: prints, by: \.hash)
        let hashes = byHash.keys.sorted()
        let clusters = HammingIndex(hashes, distance: distance).groups()
        let lone = Set(hashes.indices).subtracting(clusters.joined())
        var groups: [Group] = []
        for cluster in clusters + lone.sorted().map({ [$0] }) {
            let alike = cluster.flatMap { byHash[hashes[$0]] ?? [] }
            guard alike.count > 1 else { continue }
            var files: [File] = []
            for seq in alike.map(\.seq).sorted() {
                guard let original = try ledger.entry(at: seq)?.receipt?.original else { continue }
                files.append(File(item: seq, path: original.path, bytes: original.bytes))
            }
            groups.append(Group(files: files, isIdentical: false, placeholderHost: nil))
        }
        return groups.sorted { $0.files[0].item < $1.files[0].item }
    }
}
