// SPDX-License-Identifier: MIT

package import SluiceFeeds
internal import SluiceImaging
package import SluiceModel
internal import SluiceTransfer

/// Chooses the rendition of each photo to mirror.
package struct VariantChoice: Sendable {
    /// The variant in the options, or else the feed's default; with several feeds, the defaults of all.
    private let name: String
    private let isDefault: Bool
    /// The defaults of single sources, in a run with several.
    private var names = TextMap<String>()
    /// The thumbnails to make if originals are not kept, so that any sufficiently large rendition will do.
    private let thumbnails: ThumbnailOptions?

    package init(_ options: MirrorOptions, of defaultVariant: String) {
        name = options.variant ?? defaultVariant
        isDefault = options.variant == nil
        let acceptsAny = options.variant == nil && !options.keepsOriginals && !options.thumbnails.sizes.isEmpty
        thumbnails = acceptsAny ? options.thumbnails : nil
    }

    package init(_ options: MirrorOptions, of feeds: [SourceFeed]) {
        var defaults: [String] = []
        for name in feeds.map(\.feed.defaultVariant) where !defaults.contains(where: { $0 === name }) {
            defaults.append(name)
        }
        self.init(options, of: defaults.joined(separator: "|"))
        guard feeds.count > 1, options.variant == nil else { return }
        names = TextMap(feeds.compactMap { feed in feed.source.map { ($0, feed.feed.defaultVariant) } })
    }

    /// Returns the photo's rendition; `nil` if it has none with the wanted name.
    package func variant(of photo: Photo) -> Variant? {
        if let found = smallestSufficient(of: photo) { return found }
        if let own = photo.source.flatMap({ names[$0] }), let found = photo.variant(named: own) { return found }
        return photo.variant(named: name)
    }

    /// Returns the host of the photo's variant, or an empty text for a photo without a valid one.
    package func host(of photo: Photo) -> String { variant(of: photo).flatMap { WebAddress($0.url) }?.host ?? "" }

    /// Returns the photo's rendition, or throws an error that lists the available ones.
    package func requiredVariant(of photo: Photo) throws(Failure) -> Variant {
        if let variant = variant(of: photo) { return variant }
        let wanted = name.split(separator: "|").joined(separator: " or ")
        let names = photo.variants.map(\.name).joined(separator: ", ")
        throw Failure(.policy, "the photo has no variant \(wanted), only \(names)")
    }

    /// Returns the rendition of a web page's picture after one that the host does not have; `nil` if there is none, or
    /// if the user chose the variant.
    func fallback(after receipt: Receipt, of photo: Photo) -> Variant? {
        guard isDefault, photo.iconSide != nil, let cause = receipt.failure?.cause,
            [.httpClientError(404), .httpClientError(410), .notAnImage].contains(cause),
            let failed = photo.variants.firstIndex(where: { $0.url === receipt.url })
        else { return nil }
        return photo.variants[(failed + 1)...].first
    }

    /// Returns the smallest rendition that is as large as the largest thumbnail; `nil` if no widths are known.
    private func smallestSufficient(of photo: Photo) -> Variant? {
        guard let thumbnails else { return nil }
        let width = thumbnails.sizes.map { Self.width(for: $0, fit: thumbnails.fit, of: photo) }.max() ?? 0
        return photo.variants.filter { $0.width ?? 0 >= width }.min { ($0.width ?? 0) < ($1.width ?? 0) }
    }

    /// Returns the width that a rendition needs for a thumbnail.
    private static func width(for size: ThumbnailSize, fit: ThumbnailOptions.Fit, of photo: Photo) -> Int {
        guard let width = photo.width, let height = photo.height else { return max(size.width ?? 0, size.height ?? 0) }
        let scales = [size.width.map { Double($0) / Double(width) }, size.height.map { Double($0) / Double(height) }]
            .compactMap(\.self)
        let scale = (fit.coversSize ? scales.max() : scales.min()) ?? 1
        return min(width, Int(rounding: Double(width) * scale, .up))
    }
}
