// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A IIIF manifest, or all manifests of a collection and of those within it; a manifest is a page.
///
/// A cursor is the way from the root: `3.0` is the first member of the root's fourth. So it stays short however large the
/// collection is, and a feed that was opened anew finds its place by the collections on the way.
struct IIIFFeed: Feed {
    /// How deep collections may lie in one another.
    private static let deepest = 16
    /// So many places in a row without a photo are a trap.
    private static let patience = 10_000

    let name = "iiif"
    let defaultVariant = "original"
    private let tree: IIIFTree

    init(root: String, transfers: Transfers, options: FeedOptions) {
        tree = IIIFTree(root: root, transfers: transfers, headers: options.headers)
    }

    func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
        var page = Page(number: number, photos: [])
        var place: [Int]? = cursor.map { $0.rawValue.split(separator: ".").compactMap { Int($0) } } ?? []
        var empty = 0
        // What has no photos is no page: the walk would take it for the end.
        while let here = place, page.photos.isEmpty {
            try token.check()
            place = try await take(here, into: &page, token: token)
            empty += 1
            guard empty < Self.patience else { throw Failure(.paginationLoop, "\(empty) places without a photo") }
        }
        page.next = place.map { Cursor(rawValue: $0.map(String.init).joined(separator: ".")) }
        return page
    }

    /// Takes what stands at a place, and returns the place behind it; `nil` behind the last.
    private func take(_ place: [Int], into page: inout Page, token: Token) async throws(Failure) -> [Int]? {
        let way = try await tree.way(to: place, token: token)
        guard let address = way.last else { return nil }
        do throws(Failure) {
            switch try await tree.node(at: address, token: token) {
            case .manifest(let photos): page.photos += photos
            case .collection(let members):
                if way.dropLast().contains(address) {
                    page.notes.append("\(address) is within itself, and is passed over there")
                } else if place.count >= Self.deepest {
                    page.notes.append("\(address) lies deeper than \(Self.deepest) collections, and is passed over")
                } else if !members.isEmpty {
                    return place + [0]
                }
            }
        } catch {
            // The root's failure is the feed's. Below it, what cannot be had is an item that fails.
            guard !place.isEmpty, error.cause != .cancelled else { throw error }
            var photo = Photo(id: address)
            photo.flaw = error
            page.photos.append(photo)
        }
        return try await self.place(behind: place, token: token)
    }

    /// The next place in the order of a reader who goes into each collection.
    private func place(behind place: [Int], token: Token) async throws(Failure) -> [Int]? {
        var place = place
        while let last = place.popLast() {
            let way = try await tree.way(to: place, token: token)
            if let address = way.last, case .collection(let members) = try await tree.node(at: address, token: token),
                last + 1 < members.count
            {
                return place + [last + 1]
            }
        }
        return nil
    }
}
