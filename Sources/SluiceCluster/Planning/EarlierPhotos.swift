// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// The photos of the plans that a plan is appended to.
struct EarlierPhotos: Sendable {
    private static let batchSize = 1000

    /// The number of photos: new ones get the positions after it.
    private(set) var count = 0
    /// The `id` of the plan that the new one continues; `nil` if there is none.
    private(set) var plan: String?
    /// For each photo, by its key, a hash of its addresses and expected digests.
    private var known: StoredKeys
    /// The listed photos that the plans have with another address or digest.
    private var changed = (count: 0, firstID: "")

    /// Reads the photos of the plans, and reserves their file names.
    init(
        of plans: [OpenedPlan], reservingIn names: inout FileNames, storedIn store: LocalStore, token: CancellationToken
    ) throws(MirrorError) {
        known = StoredKeys(in: store)
        // The photos of leftovers are those of the plan that left them.
        for opened in plans where opened.plan.leftoversOf == nil {
            for shard in opened.plan.shards.indices {
                try RowFileReader.check(shard, of: opened.plan, in: opened.store)
                var reader = try RowFileReader(shard, of: opened.plan, in: opened.store)
                while case let rows = try reader.next(Self.batchSize), !rows.isEmpty {
                    guard !token.isCancelled else { throw MirrorError(.local, "cancelled") }
                    for row in rows { try MirrorError.onDisk(add(row, to: &names)) }
                }
            }
            count.add(opened.plan.rows)
            plan = opened.plan.id
        }
    }

    private mutating func add(_ row: PlannedItem, to names: inout FileNames) throws(FileError) {
        let key = Ledger.key(of: row.item.photo)
        if try known.number(of: key) == nil { try known.add(key, Self.hash(of: row.item.photo)) }
        if let name = row.name { names.reserve(name) }
    }

    /// Returns the photos of a page that the plans do not have.
    mutating func newPhotos(in page: ArraySlice<Photo>) throws(FileError) -> ArraySlice<Photo> {
        guard plan != nil else { return page }
        var new: [Photo] = []
        for photo in page {
            guard let hash = try known.number(of: Ledger.key(of: photo)) else {
                new.append(photo)
                continue
            }
            if hash != Self.hash(of: photo) {
                if changed.count == 0 { changed.firstID = photo.id }
                changed.count += 1
            }
        }
        return new[...]
    }

    /// The note on photos that are listed with another address or digest.
    var notes: [String] {
        guard changed.count > 0 else { return [] }
        let others = changed.count > 1 ? " and \(changed.count - 1) more" : ""
        return [
            "the source has another address or hash for \(changed.firstID)\(others) than the earlier plan; the new plan adds "
                + "photos and changes none"
        ]
    }

    private static func hash(of photo: Photo) -> Int32 {
        var fingerprint = Fingerprint()
        for variant in photo.variants {
            fingerprint.add(variant.url)
            fingerprint.add(variant.checksum.map { "\($0.algorithm.rawValue) \($0.digits)" })
        }
        return Int32(truncatingIfNeeded: fingerprint.value)
    }
}
