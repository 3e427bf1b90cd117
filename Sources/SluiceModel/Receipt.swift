// SPDX-License-Identifier: MIT

/// What the ledger keeps of one item's end.
public struct Receipt: Sendable, Hashable, Codable {
    /// How the item stands in the mirror.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// The original (unless the user wants none) and all thumbnails stand, checked; or, where the user lets damaged
        /// files be salvaged, what there is of one: then ``Receipt/failure`` tells.
        case done
        /// Left out on purpose: by a rule of the user's or of the host's, or because the run was ended first.
        case skipped
        /// It could not be done; ``Receipt/failure`` says why.
        case failed
    }

    /// How the item stands.
    public var state: State
    /// Why it is not done; or, of one that is, what is wrong with the file that was salvaged.
    public var failure: Failure?
    /// The variant that was chosen.
    public var variant: String?
    /// The address that was asked for.
    public var url: String?
    /// Where the bytes came from, if redirects led elsewhere.
    public var finalURL: String?
    /// The HTTP status of the last reply.
    public var status: Int?
    /// The original, if it stands.
    public var original: StoredFile?
    /// The original's format by its content.
    public var format: String?
    /// The original's own width, before orientation.
    public var width: Int?
    /// The original's own height, before orientation.
    public var height: Int?
    /// The EXIF orientation, 1 to 8.
    public var orientation: Int?
    /// The reply's entity tag.
    public var etag: String?
    /// The reply's `Last-Modified`.
    public var lastModified: String?
    /// The picture's dominant colour, `#rrggbb`: measured, else as the feed states it.
    public var color: String?
    /// A string from which a blurred placeholder can be drawn.
    public var placeholder: String?
    /// The perceptual hash, 16 hexadecimal digits.
    public var phash: String?
    /// The thumbnails, the smallest size first.
    public var thumbs: [Thumb]
    /// What the next run compares to see that nothing has changed; of this machine alone, so in no manifest.
    public var stamp: String?

    /// Makes a receipt with nothing on it but the state and, where it is not `done`, the reason.
    public init(_ state: State, failure: Failure? = nil) {
        self.state = state
        self.failure = failure
        self.thumbs = []
    }
}

/// A whole file of the mirror: where it is and what is in it.
public struct StoredFile: Sendable, Hashable, Codable {
    /// The path below the mirror's folder, with `/` between its parts.
    public var path: String
    /// The size in bytes.
    public var bytes: Int
    /// The SHA-256 of the content, 64 hexadecimal digits.
    public var sha256: String

    /// Makes a stored file's description.
    public init(path: String, bytes: Int, sha256: String) {
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
    }
}

/// A thumbnail that stands in the mirror.
public struct Thumb: Sendable, Hashable, Codable {
    /// The size it was asked for, as the user wrote it: `256`, `320x240`, `x200`.
    public var size: String
    /// Its real width.
    public var width: Int
    /// Its real height.
    public var height: Int
    /// The format's name.
    public var format: String
    /// The file.
    public var file: StoredFile

    /// Makes a thumbnail's description.
    public init(size: String, width: Int, height: Int, format: String, file: StoredFile) {
        self.size = size
        self.width = width
        self.height = height
        self.format = format
        self.file = file
    }
}

/// An item with its end, as the ledger hands it out; the receipt is `nil` while the item has no end yet.
public struct Entry: Sendable, Hashable, Codable {
    /// The item.
    public var item: Item
    /// Its receipt.
    public var receipt: Receipt?

    /// Makes an entry.
    public init(item: Item, receipt: Receipt?) {
        self.item = item
        self.receipt = receipt
    }
}
