// SPDX-License-Identifier: MIT

package import SluiceFeeds
internal import SluiceLedger
package import SluiceModel

/// The photos of one feed that another mirror has, with all facts that it knows.
///
/// Their originals are copied and compared with their receipts, so that nothing is requested from a host.
package final class MirrorFeed: Feed {
    /// Another mirror, which stays open and locked as long as a feed of it is read.
    final class Origin: Sendable {
        let mirror: MirrorFolder

        init(_ path: String) throws(MirrorError) { mirror = try MirrorFolder.open(reading: path) }
    }

    private static let pageSize = 1000

    package let name: String
    package let defaultVariant: String
    private let count: Int
    let origin: Origin

    private init(_ photos: Ledger.OriginalsOfFeed, of origin: Origin) {
        (name, count, self.origin) = (photos.feed, photos.count, origin)
        defaultVariant = photos.variants.joined(separator: "|")
    }

    /// Opens a mirror, and returns a feed for each feed of its photos.
    package static func all(inMirrorAt path: String) throws(SourceError) -> [SourceFeed] {
        do throws(MirrorError) {
            let origin = try Origin(path)
            let feeds = try MirrorError.inLedger(origin.mirror.ledger.originalsByFeed())
            guard !feeds.isEmpty else {
                throw MirrorError(.usage, "cannot read mirror '\(path)': it has no photos with originals")
            }
            return feeds.map { SourceFeed(MirrorFeed($0, of: origin)) }
        } catch {
            throw SourceError(error.message, isLocal: error.code == .local, hint: error.hint)
        }
    }

    package var maxPages: Int? { nil }

    package func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        var page = Page(number: number, photos: [])
        page.total = count
        var position = cursor.flatMap { Int($0.rawValue)?.within(Quantity.range) } ?? 0
        repeat {
            try token.check()
            let entries = try Failure.inLedger(origin.mirror.ledger.entries(after: position, limit: Self.pageSize))
            page.photos += entries.compactMap(photo)
            guard let last = entries.last, entries.count == Self.pageSize else { return page }
            position = last.item.seq
        } while page.photos.isEmpty
        page.next = Cursor(rawValue: "\(position)")
        return page
    }

    /// The photo of an entry with the variant that the mirror has; `nil` without an original, and for another feed.
    private func photo(of entry: LedgerEntry) -> Photo? {
        guard entry.item.feed === name, let receipt = entry.receipt, receipt.state == .done, receipt.original != nil
        else { return nil }
        var photo = entry.item.photo
        let own = photo.variants.first { $0.name === receipt.variant } ?? photo.variants.first
        photo.variants = [Variant(name: receipt.variant ?? "", url: receipt.url ?? own?.url ?? "")]
        return photo
    }
}
