// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceLedger
public import SluiceModel

extension PhotoMirror {
    /// The largest distance that ``duplicates(in:distance:buckets:)`` supports, in bits of the 64-bit perceptual hash.
    public static var maxDuplicateDistance: Int { Duplicates.maxDistance }

    /// Finds identical and similar photos in the mirror in `folder`.
    ///
    /// Photos are similar if their perceptual hashes differ in at most `distance` bits.
    public static func duplicates(
        in folder: String, distance: Int, buckets: S3Options = S3Options()
    ) throws(MirrorError) -> Duplicates {
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        let duplicates = try MirrorError.inLedger(Duplicates(of: mirror.ledger, distance: distance))
        mirror.close()
        return duplicates
    }
}
