// SPDX-License-Identifier: MIT

/// Finds out, while a file arrives, how many of its first bytes suffice for its thumbnails.
///
/// A progressive JPEG has such a prefix: it ends after the scans that the scale of the decode needs. ``ending``
/// completes it to a file. Thumbnails of that file are the same as those of the whole file without its other scans.
///
/// With ``ThumbnailOptions/QualityMode/fast``, the EXIF preview of any JPEG also suffices for thumbnails that are no
/// larger. The prefix is then the photo's metadata, and ``ending`` the preview's picture.
package struct SufficientPrefix: Sendable {
    private var finders: [any PrefixFinding]
    /// The number of the file's first bytes to complete, once enough bytes have arrived.
    package private(set) var count: Int?
    /// The bytes that complete the prefix to a file.
    package private(set) var ending: [UInt8] = []
    /// The photo, if the completed file has only its preview.
    package private(set) var previewed: ImageInfo?

    /// Starts before a file's first byte.
    package init(_ options: ThumbnailOptions) {
        let thumbnailer = Thumbnailer(options)
        let goal = PrefixGoal(
            minimumSize: { (header) throws(ImagingError) in
                try header.info.check(options.limits)
                return try thumbnailer.minimumSize(of: header)
            },
            // A part of a damaged preview would replace an intact photo.
            acceptsPreview: options.qualityMode == .fast && !options.salvages)
        // A gain map is at the end of the file.
        let needsAll = options.sizes.isEmpty || options.dynamicRange == .keep
        finders = needsAll ? [] : Codecs.all.compactMap { $0.decoder?.makePrefixFinder(for: goal) }
    }

    /// Reads the next bytes of the file.
    package mutating func receive(_ bytes: Span<UInt8>) {
        guard count == nil else { return }
        for index in finders.indices {
            finders[index].receive(bytes)
            guard let found = finders[index].count else { continue }
            (count, ending, previewed) = (found, finders[index].ending, finders[index].previewed)
        }
    }
}
