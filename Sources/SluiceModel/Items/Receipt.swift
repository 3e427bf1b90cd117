// SPDX-License-Identifier: MIT

/// The ledger's record of one item's result.
public struct Receipt: Sendable, Hashable, Codable {
    /// The state of an item in the mirror.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// The original (unless disabled) and all thumbnails exist and are verified.
        ///
        /// With salvaging enabled, the file may be damaged; ``Receipt/failure`` then describes the damage. An original
        /// that cannot be decoded has no thumbnails; see ``Receipt/isUndecodable``.
        case done
        /// Left out by a rule of the user or the host, or because the run ended first.
        case skipped
        /// Failed; ``Receipt/failure`` contains the reason.
        case failed
    }

    /// A part of an original that suffices for thumbnails.
    public enum Part: String, Sendable, Hashable, Codable, CaseIterable {
        /// The first scans of a progressive JPEG.
        case scans
        /// The preview in the metadata of a JPEG.
        case preview
    }

    /// The item's state.
    public var state: State
    /// The reason why the item is not done or has no thumbnails, or the damage of a salvaged file.
    public var failure: Failure?
    /// The name of the chosen variant.
    public var variant: String?
    /// The requested address.
    public var url: String?
    /// The address that delivered the bytes, if it differs because of redirects.
    public var finalURL: String?
    /// The HTTP status of the last reply.
    public var status: Int?
    /// The original, if it exists.
    public var original: StoredFile?
    /// The original's XMP sidecar, if it has one.
    public var sidecar: StoredFile?
    /// The original's format, detected from its content.
    public var format: String?
    /// The original's width in pixels, before orientation.
    public var width: Int?
    /// The original's height in pixels, before orientation.
    public var height: Int?
    /// The EXIF orientation, 1 to 8.
    public var orientation: Int?
    /// The reply's entity tag.
    public var etag: String?
    /// The reply's `Last-Modified`.
    public var lastModified: String?
    /// The digest that the host stated and the original has, as `header: algorithm=digits`.
    public var hostDigest: String?
    /// The host's statements about the use of the photo, as `name: value; name: value`.
    public var usage: String?
    /// The licence that the feed stated at the download, by its name or else its address.
    public var license: String?
    /// The dominant colour, `#rrggbb`: measured, or stated by the feed.
    public var color: String?
    /// The string that encodes a blurred placeholder.
    public var placeholder: String?
    /// The perceptual hash, 16 hexadecimal digits.
    public var phash: String?
    /// The facts that the camera recorded in the original: a JSON object by the names of EXIF's tags.
    ///
    /// The gallery shows them, and manifests have them, so that a rebuilt ledger does, too.
    public var exif: String?
    /// The thumbnails, smallest first.
    public var thumbs: [Thumb]
    /// The stamp that the next run compares to detect changes.
    ///
    /// It is valid on this machine only, so the manifest does not contain it.
    public var stamp: String?
    /// The size of the original if this run received it; `nil` if the run used an existing file or a copy.
    ///
    /// It is part of the run's events only, so nothing stores it.
    public var bytesReceived: Int?
    /// The number of bytes of the original that were not downloaded because the first bytes sufficed for thumbnails.
    ///
    /// Like ``bytesReceived`` it is part of the run's events only.
    public var bytesUnneeded: Int?
    /// The part of the original that sufficed for thumbnails, if the rest was not downloaded.
    ///
    /// It, too, is part of the run's events only.
    public var part: Part?
    /// The sizes of the thumbnails that earlier runs made; `nil` if this run made all.
    ///
    /// It, too, is part of the run's events only.
    public var keptSizes: Set<String>?

    /// Creates a receipt with a state and, if it is not `done`, the reason.
    package init(_ state: State, failure: Failure? = nil) {
        self.state = state
        self.failure = failure
        self.thumbs = []
    }

    /// Whether the original is kept although Sluice cannot decode it, or not within the limits, so that there are no
    /// thumbnails.
    public var isUndecodable: Bool {
        guard state == .done, original != nil, let cause = failure?.cause else { return false }
        return Cause.undecodable.contains(cause)
    }

    /// All files: the original and its sidecar, if they exist, and the thumbnails.
    public var files: [StoredFile] { [original, sidecar].compactMap(\.self) + thumbs.map(\.file) }

    /// The thumbnails that this run made.
    var newThumbs: [Thumb] { keptSizes.map { kept in thumbs.filter { !kept.contains($0.size) } } ?? thumbs }
}

/// A thumbnail in the mirror.
public struct Thumb: Sendable, Hashable, Codable {
    /// The requested size as the user wrote it: `256`, `320x240`, `x200`.
    public var size: String
    /// The actual width in pixels.
    public var width: Int
    /// The actual height in pixels.
    public var height: Int
    /// The format's name.
    public var format: String
    /// The file.
    public var file: StoredFile

    package init(size: String, width: Int, height: Int, format: String, file: StoredFile) {
        (self.size, self.width, self.height, self.format, self.file) = (size, width, height, format, file)
    }
}

/// An item of the ledger with its receipt.
package struct LedgerEntry: Sendable, Hashable, Codable {
    package var item: Item
    /// The receipt; `nil` if the item has no result yet.
    package var receipt: Receipt?

    package init(item: Item, receipt: Receipt?) {
        self.item = item
        self.receipt = receipt
    }
}

extension Thumb {
    /// Writes the thumbnail, as the ledger, the manifest and events have it.
    package func write(to object: inout JSONWriter) {
        // A number, unless it is a pair such as 320x240.
        if let size = Int(size) { object.member("size", size) } else { object.member("size", size) }
        object.member("file", file.path)
        object.member("width", width)
        object.member("height", height)
        object.member("bytes", file.bytes)
        object.member("format", format)
        object.member("sha256", file.sha256)
    }

    /// Reads the members that ``write(to:)`` writes; missing texts are empty, and missing numbers are 0.
    package init(_ json: JSON) {
        self.init(
            size: json["size"]?.text ?? "", width: json["width"]?.side ?? 0, height: json["height"]?.side ?? 0,
            format: json["format"]?.text ?? "",
            file: StoredFile(
                path: json["file"]?.text ?? "", bytes: json["bytes"]?.quantity ?? 0,
                sha256: json["sha256"]?.text ?? ""))
    }
}
