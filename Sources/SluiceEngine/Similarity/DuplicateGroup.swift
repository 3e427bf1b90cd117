// SPDX-License-Identifier: MIT

package import SluiceLedger
public import SluiceModel

/// A photo and its copies.
public struct DuplicateGroup: Sendable, Hashable {
    /// How a photo is related to the best one of its group.
    public enum Relation: String, Sendable, Hashable, CaseIterable {
        /// It is the best one.
        case best
        /// Its file has the same bytes.
        case same
        /// It shows the same picture, in another size, format or quality.
        case copy
        /// It shows the same picture, turned or mirrored.
        case turned
    }

    /// A photo of a group.
    public struct Member: Sendable, Hashable {
        /// The item's position in its mirror.
        public let item: Int
        /// The path, relative to the mirror's folder.
        public let path: String
        /// The size in bytes.
        public let bytes: Int
        /// The SHA-256 of the file.
        public let sha256: String
        /// The width in pixels, upright, if it is known.
        public let width: Int?
        /// The height in pixels, upright, if it is known.
        public let height: Int?
        /// The format's name, if it is known.
        public let format: String?
        /// The path of a thumbnail, relative to the mirror's folder.
        public let thumb: String?
        /// Whether it belongs to the reference, which is never changed.
        public let isReference: Bool
        /// How it is related to the first photo of the group.
        public internal(set) var relation = Relation.same
        /// Why the first photo is better; `nil` for the first.
        public internal(set) var reason: String?
    }

    /// The photos, the best one first.
    public let members: [Member]
    /// The host that probably sends this file in place of missing photos; `nil` if there is no sign of that.
    public let placeholderHost: String?

    /// The positions of the photos that the user drops; `nil` drops all but the best one.
    private(set) var chosen: Set<Int>?

    /// Whether all files have the same bytes.
    public var isIdentical: Bool { members.allSatisfy { $0.sha256 == members.first?.sha256 } }

    /// The photos that may be dropped: all but the best one and the reference's, or those that the user chose.
    public var droppable: [Member] {
        members.dropFirst().filter { !$0.isReference && chosen?.contains($0.item) ?? true }
    }

    /// Returns the group with the user's choice of the photos to drop, and one that stays first; `nil` if none would
    /// stay.
    public func dropping(_ items: Set<Int>) -> DuplicateGroup? {
        guard let kept = members.firstIndex(where: { $0.isReference || !items.contains($0.item) }) else { return nil }
        var order = members
        order.insert(order.remove(at: kept), at: 0)
        return DuplicateGroup(members: order, placeholderHost: placeholderHost, chosen: items)
    }
}

/// The options of a search for copies.
public struct DuplicateOptions: Sendable, Hashable {
    /// The largest distance that a search supports, in bits of the 64-bit perceptual hash.
    public static let maxDistance = HammingIndex.maxDistance
    /// The most differing bits of the perceptual hashes of photos whose pixels are compared.
    public var distance = maxDistance
    /// The folder of a mirror whose photos are preferred and never changed.
    public var reference: String?
    /// Pairs of photos that are no copies.
    public var ignored = IgnoredPairs()
    /// Where thumbnails are decoded.
    public var isolation = Isolation.none
    /// The memory for decodes in bytes.
    public var memory = 512 << 20

    /// Creates the default options.
    public init() {}
}

/// The result of a search for copies.
public struct DuplicateReport: Sendable, Hashable {
    /// The groups, those of the first photos first.
    public internal(set) var groups: [DuplicateGroup] = []
    /// The number of photos whose pixels could not be compared, so that only identical files were found.
    public internal(set) var unreadable = 0
    /// Whether the search was stopped early.
    public internal(set) var isStopped = false

    /// The best photo of the group of each photo that may be dropped, both by their positions.
    package var best: [Int: Int] {
        var best: [Int: Int] = [:]
        for group in groups { for member in group.droppable { best[member.item] = group.members[0].item } }
        return best
    }
}

/// Pairs of photos that look alike but are no copies, by the SHA-256 of their files.
///
/// The text form has a pair on each line: two SHA-256, separated by white space. Text after `#` is ignored.
public struct IgnoredPairs: Sendable, Hashable {
    private var pairs: Set<ExactText> = []

    /// Makes an empty set.
    public init() {}

    /// Reads the text form; throws a reason with the number of the invalid line.
    public init(_ text: String) throws(InvalidText) {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
            let words = content.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
            guard !words.isEmpty else { continue }
            guard words.count == 2, words.allSatisfy(Self.isSHA256) else {
                throw InvalidText("expected two SHA-256, separated by a blank", line: number + 1)
            }
            pairs.insert(Self.key(words[0], words[1]))
        }
    }

    /// Whether the set has the pair of two files, in any order.
    func contains(_ first: String, _ second: String) -> Bool { pairs.contains(Self.key(first, second)) }

    private static func key(_ first: String, _ second: String) -> ExactText {
        ExactText(first < second ? first + second : second + first)
    }

    private static func isSHA256(_ word: String) -> Bool {
        word.utf8.count == 64
            && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// The clusters of identical and similar photos of a mirror, by the positions of their photos.
///
/// Memory use depends on the number of different perceptual hashes.
package struct PhotoClusters: Sendable {
    /// The position of the first photo of the cluster to which a photo belongs.
    private var firsts: [Int: Int] = [:]

    /// Finds the clusters: neighbours in one differ in at most `distance` bits of their perceptual hashes.
    package init(of ledger: Ledger, distance: Int) throws(LedgerError) {
        // The ledger names the first of identical photos. Each distinct hash is compared once: there may be many blank
        // pages.
        let photos = [UInt64: [(seq: Int, hash: UInt64)]](grouping: try ledger.perceptualHashes(), by: \.hash)
        let hashes = photos.keys.sorted()
        let clusters = HammingIndex(hashes, distance: distance).groups()
        let lone = Set<Int>(hashes.indices).subtracting(clusters.joined())
        for cluster in clusters + lone.map({ [$0] }) {
            let members = cluster.flatMap { photos[hashes[$0]] ?? [] }.map(\.seq)
            guard let first = members.min(), members.count > 1 else { continue }
            for member in members { firsts[member] = first }
        }
        let originals = try ledger.originalsWithSharedContent()
        for copies in [ExactText: [Original]](grouping: originals, by: { ExactText($0.sha256) }).values {
            let first = copies[0].seq
            for copy in copies { firsts[copy.seq] = firsts[first] ?? first }
        }
    }

    /// The position of the first photo in the cluster of the photo at a position; `nil` if no other photo is like it.
    package func first(of position: Int) -> Int? { firsts[position] }
}
