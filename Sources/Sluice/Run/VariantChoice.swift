// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

/// Which rendition of each photo is mirrored.
struct VariantChoice: Sendable {
    /// The name that the user gave, else the feed's own choice.
    private let name: String
    /// The thumbnails to be made, where nothing but them is kept and any rendition that serves them will do.
    private let served: ThumbnailOptions?

    init(_ options: MirrorOptions, of defaultVariant: String) {
        name = options.variant ?? defaultVariant
        let isFree = options.variant == nil && !options.keepsOriginals && !options.thumbnails.sizes.isEmpty
        served = isFree ? options.thumbnails : nil
    }

    /// The photo's rendition; `nil` where it has none of that name.
    func variant(of photo: Photo) -> Variant? { least(of: photo) ?? photo.variant(named: name) }

    /// The names, for messages.
    var description: String { name.split(separator: "|").joined(separator: " or ") }

    /// The least rendition that is as large as the largest thumbnail; `nil` where none says so of itself.
    private func least(of photo: Photo) -> Variant? {
        guard let served else { return nil }
        let width = served.sizes.map { Self.width($0, fit: served.fit, of: photo) }.max() ?? 0
        return photo.variants.filter { $0.width ?? 0 >= width }.min { ($0.width ?? 0) < ($1.width ?? 0) }
    }

    /// How wide a rendition must be for a thumbnail, as far as the photo's own size is known.
    private static func width(_ size: ThumbnailSize, fit: ThumbnailOptions.Fit, of photo: Photo) -> Int {
        guard let width = photo.width, let height = photo.height else { return max(size.width ?? 0, size.height ?? 0) }
        let scales = [size.width.map { Double($0) / Double(width) }, size.height.map { Double($0) / Double(height) }]
            .compactMap(\.self)
        let scale = (fit == .cover || fit == .fill ? scales.max() : scales.min()) ?? 1
        return min(width, Int((Double(width) * scale).rounded(.up)))
    }
}
