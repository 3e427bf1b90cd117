// SPDX-License-Identifier: MIT

/// Finds out, while a file arrives, how many of its first bytes suffice for its thumbnails.
///
/// Only a progressive JPEG has such a prefix: it ends after the scans that the scale of the decode needs. ``ending``
/// completes it to a file. Thumbnails of that file are the same as those of the whole file without its other scans.
public struct SufficientPrefix: Sendable {
    private var finders: [any PrefixFinding]
    /// The number of bytes that suffice, once they have arrived.
    public private(set) var count: Int?
    /// The bytes that complete the prefix to a file.
    public private(set) var ending: [UInt8] = []

    /// Starts before a file's first byte.
    public init(_ options: ThumbnailOptions) {
        let thumbnailer = Thumbnailer(options)
        let minimumSize: PrefixFinding.MinimumSize = { (header) throws(ImagingError) in
            try thumbnailer.minimumSize(of: header)
        }
        finders = options.sizes.isEmpty ? [] : Codecs.all.compactMap { $0.decoder?.makePrefixFinder(minimumSize) }
    }

    /// Reads the next bytes of the file.
    public mutating func receive(_ bytes: Span<UInt8>) {
        guard count == nil else { return }
        for index in finders.indices {
            finders[index].receive(bytes)
            if let found = finders[index].count { (count, ending) = (found, finders[index].ending) }
        }
    }
}
