// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// An RSS or Atom feed: an address, or a file that was saved of one.
struct SyndicationFeed: Feed {
    /// The best rendition that the feed offers.
    static let variant = "original"
    /// The most bytes that a document may have.
    private static let limit = 16 << 20

    /// Where it is.
    enum Place: Sendable, Hashable {
        case address(String)
        case file(String)
    }

    let place: Place
    let transfers: Transfers
    let options: FeedOptions

    var name: String {
        if case .address(let text) = place { WebAddress(text)?.host ?? "feed" } else { "feed" }
    }
    let defaultVariant = SyndicationFeed.variant

    func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
        let (bytes, address) = try await document(at: cursor, token: token)
        let document = try SyndicationPage(bytes, from: address)
        var page = document.page(number)
        page.next = try next(behind: document, at: address)
        return page
    }

    private func document(
        at cursor: Cursor?, token: Token
    ) async throws(Failure) -> (bytes: [UInt8], address: WebAddress?) {
        switch place {
        case .file(let path): return (try Self.read(path), nil)
        case .address(let first):
            var request = Request(
                cursor?.rawValue ?? first, headers: options.headers, limit: Self.limit, timeout: .seconds(60))
            request.acceptsCompression = true
            let response = try await transfers.fetch(request, token: token)
            return (response.body, WebAddress(response.url))
        }
    }

    /// The next page's address, which must stay with this one's host.
    private func next(behind document: SyndicationPage, at address: WebAddress?) throws(Failure) -> Cursor? {
        // A saved file is read for itself: it has no host that its links could stay with.
        guard let address, let next = document.next.flatMap({ WebAddress($0) }) else { return nil }
        guard next.hasOrigin(of: address) else { throw Failure(.crossOriginNext, next.text) }
        return Cursor(rawValue: next.text)
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        do throws(FileError) {
            let bytes = try OpenFile.reading(path, followsLink: true).read(at: 0, count: limit + 1)
            if bytes.count <= limit { return bytes }
        } catch {
            throw Failure(.disk, "\(error)", finalURL: path)
        }
        throw Failure(.tooLarge, "more than \(limit) bytes")
    }
}
