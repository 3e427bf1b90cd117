// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Downloads originals from the objects of a ``BucketFeed``.
struct BucketInput: FetchedInput {
    let feed: BucketFeed
    let refreshes: Bool

    /// The listing has the entity tags of all objects, so that unchanged ones cost no request.
    func isCurrent(_ variant: Variant, as known: CachedVersion?) -> Bool {
        guard !refreshes, let tag = known?.etag else { return false }
        return feed.listed(variant.url)?.etag === tag
    }

    func fetch(_ fetch: FetchRequest, of item: Item) async throws(Failure) -> DownloadResult {
        let url = fetch.variant.url
        let (bucket, name) = try feed.find(url)
        let known = refreshes ? nil : fetch.known?.etag
        if let listed = feed.listed(url), listed.size > fetch.limit {
            throw Failure(.tooLarge, "\(listed.size) bytes (limit \(fetch.limit))", finalURL: url)
        }
        return try await bucket.withRequests {
            Result { () throws(Failure) in
                try bucket.download(
                    name, into: fetch.partial, limit: fetch.limit, unless: known, token: fetch.slot.token,
                    earlyCheck: fetch.earlyCheck)
            }
        }.get()
    }
}
