// SPDX-License-Identifier: MIT

package import SluiceModel
internal import SluiceTransfer

/// A feed without the secrets that its replies repeat, because its pages are stored and shown.
///
/// Secrets are replaced in the texts of parsed pages, where no escape of the reply's format hides them.
package struct RedactedFeed: Feed {
    package let feed: any Feed
    private let transfers: Transfers

    init(_ feed: any Feed, through transfers: Transfers) { (self.feed, self.transfers) = (feed, transfers) }

    package var name: String { feed.name }
    package var defaultVariant: String { feed.defaultVariant }
    package var maxPages: Int? { feed.maxPages }

    package func page(
        _ number: Int, at cursor: Cursor?, token: CancellationToken
    ) async throws(Failure) -> Page {
        do throws(Failure) {
            let page = try await feed.page(number, at: cursor, token: token)
            return transfers.redaction.redacted(page)
        } catch { throw transfers.redaction.redacted(error) }
    }

    package func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure) {
        do throws(Failure) { try await feed.reportDownload(of: photo, token: token) } catch {
            throw transfers.redaction.redacted(error)
        }
    }
}

extension Redaction {
    /// Returns the page without secrets in its texts.
    func redacted(_ page: Page) -> Page {
        if isEmpty { return page }
        var page = page
        page.photos = page.photos.map { redacted($0) }
        page.next = page.next.map { Cursor(rawValue: redacted($0.rawValue)) }
        page.notes = page.notes.map { redacted($0) }
        return page
    }

    private func redacted(_ photo: Photo) -> Photo {
        var photo = photo
        photo.id = redacted(photo.id)
        for index in photo.variants.indices {
            photo.variants[index].name = redacted(photo.variants[index].name)
            photo.variants[index].url = redacted(photo.variants[index].url)
        }
        for case .text(let path) in PhotoField.all.map(\.property) {
            photo[keyPath: path] = photo[keyPath: path].map { redacted($0) }
        }
        photo.invalidReason = photo.invalidReason.map { redacted($0) }
        return photo
    }
}
