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
        let groups = try Duplicates(of: ledger, distance: distance).groups
        // Groups of similar photos have one photo of each group of identical ones: the first.
        for group in groups where !group.isIdentical {
            for file in group.files { firsts[file.item] = group.files[0].item }
        }
        for group in groups where group.isIdentical {
            let first = group.files[0].item
            for file in group.files { firsts[file.item] = firsts[first] ?? first }
        }
    }

    /// The position of the first photo in the cluster of the photo at a position; `nil` if no other photo is like it.
    package func first(of position: Int) -> Int? { firsts[position] }
}
