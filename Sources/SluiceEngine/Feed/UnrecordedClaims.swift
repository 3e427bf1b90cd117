// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
package import SluiceModel
package import SluiceStore

/// Accepts each photo once, as the ledger does, but stores no photos.
///
/// Plans and forecasts use it, because they do not write to a ledger.
package struct UnrecordedClaims: PageClaiming {
    /// For each photo seen, by its key, a hash of the URLs, and of a row's caption, that were listed first.
    private var seen: StoredKeys

    /// For each photo seen in a run with several sources, by its key, the source whose ids its id is one of.
    private var scopes: [Int: Int32] = [:]

    /// `store` is for the keys that do not fit into memory.
    package init(in store: LocalStore? = nil) { seen = StoredKeys(in: store) }

    private static func key(of photo: Photo, feed: String?) -> Int {
        guard let feed else { return Ledger.key(of: photo) }
        return Fingerprint(of: [feed, photo.collection ?? "", photo.id]).value
    }

    package mutating func claim(_ page: Page, conflict: (Photo) -> Void) throws(Failure) -> [Photo] {
        let photos = page.photos
        // Usually all photos are new, and need not be copied.
        var new: [Photo]?
        for index in photos.indices {
            var photo = photos[index]
            var isSame = try compare(photo, on: page)
            if isSame == false, page.feed != nil, let other = photo.namedApart, isOfOtherSource(photo, on: page) {
                new = new ?? Array(photos[..<index])
                photo = other
                isSame = try compare(photo, on: page)
            }
            if isSame == false, page.hasRows, photo.invalidReason == nil {
                new = new ?? Array(photos[..<index])
                photo = photo.namedByRow
                isSame = try compare(photo, on: page)
            }
            if let isSame {
                if !isSame, photo.invalidReason == nil { conflict(photo) }
                new = new ?? Array(photos[..<index])
            } else {
                new?.append(photo)
            }
        }
        return new ?? photos
    }

    /// Returns whether a photo that was seen has the same URLs; adds it and returns `nil` if it is new.
    private mutating func compare(_ photo: Photo, on page: Page) throws(Failure) -> Bool? {
        let (key, hash) = (Self.key(of: photo, feed: page.feed), Self.hash(of: photo, withCaption: page.hasRows))
        do throws(FileError) {
            if let first = try seen.number(of: key) {
                return first == hash && (photo.invalidReason == nil || page.feed == nil)
            }
            try seen.add(key, hash)
        } catch {
            throw Failure(error)
        }
        if page.feed != nil { scopes[key] = Self.scope(of: page) }
        return nil
    }

    /// Whether the photo that was seen with the same id comes from a source whose ids mean other photos.
    private func isOfOtherSource(_ photo: Photo, on page: Page) -> Bool {
        scopes[Self.key(of: photo, feed: page.feed)] != Self.scope(of: page)
    }

    private static func scope(of page: Page) -> Int32 {
        Int32(truncatingIfNeeded: Fingerprint(of: page.peers.prefix(1) + []).value)
    }

    private static func hash(of photo: Photo, withCaption: Bool) -> Int32 {
        var hasher = Hasher()
        if withCaption { hasher.combine(photo.caption.map(ExactText.init)) }
        for variant in photo.variants { hasher.combine(ExactText(variant.url)) }
        return Int32(truncatingIfNeeded: hasher.finalize())
    }
}
