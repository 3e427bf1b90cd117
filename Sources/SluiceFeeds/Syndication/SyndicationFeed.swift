// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// An RSS or Atom feed, from an address or a saved file, or the address of a single photo.
struct SyndicationFeed: Feed {
    /// The name of a picture's best variant.
    static let variant = "original"
    /// The maximum size of a document in bytes.
    private static let limit = 16 << 20

    /// The location of the feed.
    enum Location: Sendable, Hashable {
        case address(String)
        case file(String)
    }

    let location: Location
    let transfers: Transfers
    let options: FeedOptions

    var name: String {
        if case .address(let text) = location { WebAddress(text)?.host ?? "feed" } else { "feed" }
    }
    let defaultVariant = SyndicationFeed.variant

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let (bytes, address, isPhoto) = try await document(at: cursor, token: token)
        if isPhoto, case .address(let text) = location { return Self.page(ofPhotoAt: text) }
        let document = try SyndicationPage(bytes, from: address, token: token)
        var page = try document.page(number, token: token)
        page.next = next(after: document, at: address)
        return page
    }

    /// The only page of an address that is a photo itself.
    private static func page(ofPhotoAt address: String) -> Page {
        let variant = Variant(name: variant, url: address)
        return Page(number: 1, photos: [Photo(id: variant.url, variants: [variant])], total: 1)
    }

    private func document(
        at cursor: Cursor?, token: CancellationToken
    ) async throws(Failure) -> (bytes: [UInt8], address: WebAddress?, isPhoto: Bool) {
        switch location {
        case .file(let path): return (try Self.read(path), nil, false)
        case .address(let first):
            var request = Request(
                cursor?.rawValue ?? first, headers: options.headers, limit: Self.limit, timeout: .seconds(60))
            request.acceptsCompression = true
            let response = try await transfers.fetch(request, token: token)
            let isPhoto = response.headers["content-type"]?.lowercased().hasPrefix("image/") == true && cursor == nil
            return (response.body, WebAddress(response.url), isPhoto)
        }
    }

    /// Returns the next page's cursor; a page at another origin is not requested.
    private func next(after document: SyndicationPage, at address: WebAddress?) -> Cursor? {
        // A saved file has no origin to compare with, so its links are not followed.
        guard let address, let next = document.next.flatMap({ WebAddress($0) }) else { return nil }
        return next.hasOrigin(of: address) ? Cursor(rawValue: next.text) : .foreign(next.text)
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        do throws(FileError) {
            let bytes = try OpenFile.reading(path, followsLink: true).read(at: 0, count: limit + 1)
            if bytes.count <= limit { return bytes }
        } catch {
            throw Failure(.disk, "\(error)", finalURL: path, scope: .run)
        }
        throw Failure(.tooLarge, "the feed is larger than \(limit) bytes")
    }
}
