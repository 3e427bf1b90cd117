// SPDX-License-Identifier: MIT

package import SluiceLedger
internal import SluiceModel

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
