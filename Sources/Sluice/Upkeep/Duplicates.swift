// SPDX-License-Identifier: MIT

internal import SluiceLedger
internal import SluiceTransfer

/// Photos of a mirror that are one picture: byte for byte, or as far as an eye would tell.
public struct Duplicates: Sendable, Hashable {
    /// Photos that are one.
    public struct Group: Sendable, Hashable {
        /// Their files, in the order of the items.
        public let files: [File]
        /// Whether they have the same bytes.
        public let isSame: Bool
        /// The host, if so many of its photos have the same bytes that it likely shows them for photos that it has no more.
        public let placeholderOf: String?
    }

    /// A photo's original.
    public struct File: Sendable, Hashable {
        /// The item's place.
        public let item: Int
        /// The path below the mirror's folder.
        public let path: String
        /// The size.
        public let bytes: Int
    }

    /// So many photos of one host with the same bytes are no chance.
    static let placeholders = 5

    /// Those with the same bytes, the largest groups first, then those that look alike.
    public let groups: [Group]

    init(of ledger: Ledger, distance: Int) throws(LedgerError) {
        let byContent = Dictionary(grouping: try ledger.repeatedOriginals(), by: \.sha256)
        let same = byContent.values.map(Self.group).sorted {
            ($1.files.count, $0.files[0].item) < ($0.files.count, $1.files[0].item)
        }
        groups = try same + Self.near(ledger, distance)
    }

    private static func group(_ originals: [Original]) -> Group {
        let hosts = Set(originals.map { $0.url.flatMap { WebAddress($0) }?.host ?? "" })
        let isPlaceholder = originals.count >= placeholders && hosts.count == 1 && hosts != [""]
        return Group(
            files: originals.map { File(item: $0.seq, path: $0.path, bytes: $0.bytes) }, isSame: true,
            placeholderOf: isPlaceholder ? hosts.first : nil)
    }

    private static func near(_ ledger: Ledger, _ distance: Int) throws(LedgerError) -> [Group] {
        // Of each content one photo, and of each hash one content: blank pages would be compared each with each.
        let prints = try ledger.perceptualHashes()
        let byHash = Dictionary(grouping: prints, by: \.hash)
        let hashes = byHash.keys.sorted()
        let clusters = NearHashes(hashes, distance: distance).groups()
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
            groups.append(Group(files: files, isSame: false, placeholderOf: nil))
        }
        return groups.sorted { $0.files[0].item < $1.files[0].item }
    }
}

extension Mirror {
    /// The most bits of the 64 of two perceptual hashes that ``duplicates(in:distance:)`` can look for.
    public static var furthestDistance: Int { NearHashes.furthest }

    /// Finds the photos of the mirror in `folder` that are one picture; `distance` is how many bits of two perceptual
    /// hashes may differ.
    public static func duplicates(in folder: String, distance: Int) throws(MirrorError) -> Duplicates {
        let place = try MirrorFolder.open(reading: folder)
        let duplicates = try MirrorError.inLedger(Duplicates(of: place.ledger, distance: distance))
        place.close()
        return duplicates
    }
}
