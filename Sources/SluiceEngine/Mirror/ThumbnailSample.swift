// SPDX-License-Identifier: MIT

public import SluiceImaging
package import SluiceModel
internal import SluiceTransfer

/// Which photos of a mirror a verification makes the thumbnails of again, and with which options.
public struct ThumbnailSample: Sendable {
    /// The share of the photos from 0 to 1, beside the first ones of each host; 0 takes no photo at all.
    public var share = 0.01
    /// The options of earlier runs, the latest first.
    ///
    /// A photo is compared if its receipt names one of them.
    public var options: [ThumbnailOptions]

    /// The number of photos of each host that are always taken.
    package static let photosPerHost = 3
    /// The number of photos at most that are taken because they are the first ones of a host.
    package static let maxFirstPhotos = 1000

    /// Makes a sample of thumbnails that were made with one of these options.
    public init(of options: [ThumbnailOptions]) { self.options = options }
}

/// Decides for one photo after the other whether it belongs to a ``ThumbnailSample``.
///
/// The decision depends on the ledger alone, so that the same photos are compared each time.
package struct ThumbnailSampler {
    private let share: Double
    private var taken: TextMap<Int> = [:]
    private var firstPhotos = 0

    package init(_ sample: ThumbnailSample) { share = sample.share }

    /// Whether the entry belongs to the sample.
    ///
    /// Only photos that are done, with an intact original and a thumbnail, do.
    package mutating func takes(_ entry: LedgerEntry) -> Bool {
        guard share > 0, let receipt = entry.receipt, receipt.state == .done, receipt.failure == nil,
            receipt.original != nil, !receipt.thumbs.isEmpty
        else { return false }
        let host = receipt.url.flatMap { WebAddress($0)?.host } ?? ""
        if firstPhotos < ThumbnailSample.maxFirstPhotos, taken[host, default: 0] < ThumbnailSample.photosPerHost {
            taken[host, default: 0] += 1
            firstPhotos += 1
            return true
        }
        // A decode worker knows the photo, but not its number, with which it could spare the sample.
        let item = entry.item
        let hash = Fingerprint(of: [item.feed, item.photo.collection ?? "", item.photo.id, "\(item.seq)"]).value
        return Double(UInt64(bitPattern: Int64(hash)) >> 11) < share * Double(1 << 53 as UInt64)
    }
}
