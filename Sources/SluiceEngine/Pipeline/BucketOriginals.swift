// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
internal import SluiceStore
package import SluiceTransfer

/// Downloads originals from the objects of a ``BucketFeed``.
package struct BucketOriginals: OriginalsProvider {
    private let options: MirrorOptions
    private let feed: BucketFeed

    package init(options: MirrorOptions, feed: BucketFeed) {
        (self.options, self.feed) = (options, feed)
    }

    /// The listing has the entity tags of all objects, so that unchanged ones cost no request.
    package var revalidatesExisting: Bool { true }
    package var usesNetwork: Bool { false }

    package func fetch(
        _ variant: Variant, of item: Item, into partial: PartialFile, unless known: CachedVersion?,
        slot: WorkPool.Slot, earlyCheck: @escaping EarlyCheck, checking arrivalCheck: ArrivalCheck
    ) async throws(Failure) -> DownloadResult {
        let (bucket, name) = try feed.find(variant.url)
        let known = options.refreshes ? nil : known?.etag
        let listed = feed.listed(variant.url)
        if let known, known === listed?.etag { return .unchanged(Response(unchangedAt: variant.url)) }
        let (limit, token) = (options.maxBytes, slot.token)
        if let listed, listed.size > limit {
            throw Failure(.tooLarge, "\(listed.size) bytes (limit \(limit))", finalURL: variant.url)
        }
        return try await bucket.withRequests {
            Result { () throws(Failure) in
                try bucket.download(
                    name, into: partial, limit: limit, unless: known, token: token, earlyCheck: earlyCheck)
            }
        }.get()
    }
}
