// SPDX-License-Identifier: MIT

/// What thumbnails to make of a picture, and the limits it must keep.
public struct ThumbnailOptions: Sendable, Hashable {
    /// How a picture is made to fit its size.
    public enum Fit: String, Sendable, Hashable, CaseIterable {
        /// The whole picture within the size; enlarged only if asked to.
        case inside
        /// The size filled whole, and what stands over cut away, evenly unless gravity says otherwise.
        case cover
        /// The size filled whole by stretching.
        case fill
        /// The whole picture within the size, and a background around it; needs both sides, else it is as `inside`.
        case pad
    }

    /// What thumbnails are written as.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case jpeg, webp, png
        /// JPEG, but PNG for a picture with transparency.
        case auto
    }

    /// The sizes to make, all from one decode; none makes no thumbnails.
    public var sizes: [ThumbnailSize] = [ThumbnailSize(width: 256, height: 256)]
    /// How a picture is made to fit.
    public var fit = Fit.inside
    /// Which part stays for ``Fit/cover``, and where the picture lies for ``Fit/pad``.
    public var gravity = Gravity.centre
    /// Whether ``Fit/inside`` and ``Fit/pad`` make small pictures larger.
    public var enlarges = false
    /// What is put around a padded picture, and behind a transparent one in a format that cannot be.
    public var background = BackgroundColor.white
    /// How pixels are made of pixels.
    public var kernel = Kernel.lanczos3
    /// How much of what sets a pixel off from its neighbours is added to it: 0 to 4, of which 0.5 is mild.
    public var sharpen = 0.0
    /// What time is spent on quality.
    public var qualityMode = QualityMode.good
    /// Whether pixels are mixed in linear light, as the eye does, and not as they are stored; the decode is then exact.
    public var isLinear = false
    /// What becomes of a picture's own colours.
    public var profile = Profile.srgb
    /// What is kept of what the file tells beside its pixels.
    public var keeps: Set<Metadata> = []
    /// The format.
    public var format = Format.auto
    /// The encoder's quality, 1 to 100.
    public var quality = 80
    /// Whether JPEGs are progressive: they show early and are a little smaller, but take longer to make and to open.
    public var isProgressive = false
    /// How finely JPEGs keep colour.
    public var subsampling = Subsampling.half
    /// Whether WebPs are lossless.
    public var isLossless = false
    /// The most bytes of a thumbnail: the quality of JPEG and lossy WebP goes down until it has no more.
    ///
    /// One that has more even so is made, with a note.
    public var maxBytes: Int?
    /// Whether a truncated or corrupt picture is taken as far as it can be decoded, and its damage told in the result.
    ///
    /// What is missing is grey, and transparent where the picture can be. Without it such a picture fails.
    public var salvages = false
    /// What a picture may cost.
    public var limits = ImageLimits()

    /// Makes the defaults.
    public init() {}
}

/// A size as users write it: `256` (a box), `320x240`, `x200` (a height), `200x` (a width).
public struct ThumbnailSize: Sendable, Hashable, CustomStringConvertible {
    /// The box's width; `nil` leaves it to the picture.
    public var width: Int?
    /// The box's height; `nil` leaves it to the picture.
    public var height: Int?

    /// Makes a size; at least one side must be given.
    public init(width: Int?, height: Int?) {
        precondition(width != nil || height != nil, "a size has at least one side")
        self.width = width
        self.height = height
    }

    /// Reads a size; `nil` if the text is none, or a side is not from 1 to 16383.
    public init?(_ text: String) {
        let sides = text.split(separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
        var numbers: [Int?] = []
        for side in sides {
            if side.isEmpty {
                numbers.append(nil)
            } else if let number = Int(side), (1...16383).contains(number), side.utf8.allSatisfy({ $0 != 0x2B }) {
                numbers.append(number)
            } else {
                return nil
            }
        }
        if numbers.count == 1 { numbers.append(numbers[0]) }
        guard numbers.contains(where: { $0 != nil }) else { return nil }
        self.init(width: numbers[0], height: numbers[1])
    }

    /// The size as users write it; also its folder's name.
    public var description: String {
        if let width, width == height { return "\(width)" }
        return "\(width.map(String.init) ?? "")x\(height.map(String.init) ?? "")"
    }
}

/// What a picture may cost before it is refused.
public struct ImageLimits: Sendable, Hashable {
    /// The most pixels, by the header, before anything is allocated.
    public var pixels = 100_000_000
    /// The most scans of a progressive JPEG.
    public var scans = 100
    /// The most memory that a decode may take beside the thumbnails; only progressive and interlaced pictures take much.
    public var memory = 512 << 20
    /// How long a decode may take.
    public var seconds = 20.0

    /// Makes the defaults.
    public init() {}
}
