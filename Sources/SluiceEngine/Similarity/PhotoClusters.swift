// SPDX-License-Identifier: MIT

package import SluiceLedger

/// The clusters of identical and similar photos of a mirror, by the positions of their photos.
///
/// Memory use depends on the number of different perceptual hashes.
package struct PhotoClusters: Sendable {
    /// The position of the first photo of the cluster to which a photo belongs.
    private var firsts: [Int: Int] = [:]

    /// Finds the clusters: neighbours in one differ in at most `distance` bits of their perceptual hashes.
    package init(of ledger: Ledger, distance: Int) throws(LedgerError) {
        // The ledger gives the hash of one photo of each content: the first. Compare each distinct hash once: blank pages
        // would otherwise all be compared with each other.
        let photos = Dictionary(grouping: try ledger.perceptualHashes(), by: \.hash)
        let hashes = photos.keys.sorted()
        let clusters = HammingIndex(hashes, distance: distance).groups()
        let lone = Set(hashes.indices).subtracting(clusters.joined()).map { [$0] }
        for cluster in clusters + lone {
            let positions = cluster.flatMap { photos[hashes[$0]] ?? [] }.map(\.seq)
            guard positions.count > 1, let first = positions.min() else { continue }
            for position in positions { firsts[position] = first }
        }
        for copies in Dictionary(grouping: try ledger.originalsWithSharedContent(), by: \.sha256).values {
            let first = firsts[copies[0].seq] ?? copies[0].seq
            for copy in copies { firsts[copy.seq] = first }
        }
    }

    /// The position of the first photo in the cluster of the photo at a position; `nil` if no other photo is like it.
    package func first(of position: Int) -> Int? { firsts[position] }
}
