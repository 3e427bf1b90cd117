// SPDX-License-Identifier: MIT

/// The thumbnails to make of an image, and the limits that the image must observe.
public struct ThumbnailOptions: Sendable, Hashable {
    /// How an image is fitted into the requested size.
    public enum Fit: String, Sendable, Hashable, CaseIterable {
        /// Scales the whole image to fit within the size; enlarges it only if ``ThumbnailOptions/enlarges`` is on.
        case inside
        /// Scales the whole image to cover the size, so that its shorter side fits; enlarges it only if
        /// ``ThumbnailOptions/enlarges`` is on.
        case outside
        /// Fills the size and crops the excess, on both sides alike unless the gravity says otherwise.
        case cover
        /// Stretches the image to fill the size.
        case fill
        /// Scales the whole image to fit within the size and adds a background.
        ///
        /// Needs both sides of the size; with one side it behaves like `inside`.
        case pad

        /// Whether the scaled image covers the size, rather than lie within it.
        package var coversSize: Bool {
            switch self {
            case .outside, .cover, .fill: true
            case .inside, .pad: false
            }
        }
    }

    /// The result of an animation.
    public enum Animation: String, Sendable, Hashable, CaseIterable {
        /// A still thumbnail of the first frame.
        case first
        /// An animated WebP of the first frames, whatever the format of other thumbnails.
        case keep
    }

    /// The file format of thumbnails.
    public enum Format: Sendable, Hashable {
        /// One format for all thumbnails.
        case fixed(ImageFormat)
        /// PNG for images with transparency, JPEG for all others.
        case auto
    }

    /// The sizes to make, all from one decode; an empty list makes no thumbnails.
    public var sizes: [ThumbnailSize] = [ThumbnailSize(width: 256, height: 256)]
    /// How images are fitted into the requested size.
    public var fit = Fit.inside
    /// The part of the image that ``Fit/cover`` keeps, and the image's position for ``Fit/pad``.
    public var gravity = Gravity.centre
    /// Whether ``Fit/inside``, ``Fit/outside`` and ``Fit/pad`` enlarge small images.
    public var enlarges = false
    /// Whether images that need no shrinking stay as they are, also with ``Fit/cover``, ``Fit/fill`` and ``Fit/pad``.
    public var onlyShrinks = false
    /// The background for padding, and for transparent pixels in formats without transparency.
    public var background = BackgroundColor.white
    /// The resampling filter.
    public var kernel = Kernel.lanczos3
    /// The strength of sharpening, 0 to 4; 0.5 is mild.
    public var sharpen = 0.0
    /// The trade-off between speed and accuracy.
    public var qualityMode = QualityMode.good
    /// Which decoder reads JPEGs and PNGs; the pixels are the same.
    public var decoder = Decoder.auto
    /// Whether images are resampled in linear light; the decode then uses ``QualityMode/exact``.
    public var isLinear = false
    /// How embedded colour profiles are handled.
    public var profile = Profile.srgb
    /// The dynamic range of the thumbnails.
    public var dynamicRange = DynamicRange.sdr
    /// The metadata to copy from the original.
    public var keptMetadata: Set<Metadata> = []
    /// The format of the thumbnails.
    public var format = Format.auto
    /// The result of animations.
    public var animation = Animation.first
    /// The most frames of an animated thumbnail; `nil` for all that fit into memory.
    public var maxFrames: Int?
    /// The longest duration of an animated thumbnail in milliseconds; `nil` for no limit.
    public var maxMilliseconds: Int?
    /// The encoder's quality, 1 to 100.
    public var quality = 80
    /// The similarity to the picture that each lossy thumbnail reaches at the lowest quality that suffices, 1 to 100.
    ///
    /// 90 looks identical, 70 is good, and 50 is visibly reduced. ``quality`` then applies only to animations and to
    /// thumbnails with a side of less than 32 pixels. If `nil`, all have the same quality.
    public var targetScore: Int?
    /// Whether JPEGs are progressive, which shows them earlier and makes them slightly smaller but slower to encode and
    /// decode.
    public var isProgressive = false
    /// The speed of the encoders of AVIFs and JPEGs, 0 to 10; lower speeds give smaller files.
    ///
    /// JPEGs are compact below ``defaultSpeed``, and with a ``targetScore`` also at it.
    public var speed = Self.defaultSpeed
    /// The chroma subsampling of JPEGs and AVIFs.
    ///
    /// With a ``targetScore``, AVIFs have ``Subsampling/full`` instead of ``Subsampling/half``, and compact JPEGs where
    /// that is smaller.
    public var subsampling = Subsampling.half
    /// Whether WebPs and AVIFs are lossless.
    public var isLossless = false
    /// The size limit of a thumbnail in bytes; the quality of lossy files is lowered until the file fits.
    ///
    /// A thumbnail that exceeds the limit at the lowest quality is still made, with a note.
    public var maxBytes: Int?
    /// Whether to decode the readable part of a truncated or corrupt image, and report the damage in the result.
    ///
    /// Missing pixels are grey, or transparent if the image has an alpha channel. If this is off, a damaged image
    /// fails.
    public var salvages = false
    /// Whether a JPEG, PNG or GIF that is complete except for its end marker counts as intact, with a note.
    ///
    /// Some writers omit the marker. In a download it is missing if the last bytes are, and another attempt may help.
    public var acceptsMissingEnd = false
    /// The pixels of the smallest thumbnail that the result has, for comparisons.
    package var sampling = Sampling.none
    /// The formats of ``ImageFormat/restricted`` to read.
    public var allowedFormats: Set<ImageFormat> = []
    /// The limits on size, time and memory.
    public var limits = ImageLimits()

    /// The default of ``speed``, at which a thumbnail takes a few hundredths of a second.
    public static let defaultSpeed = 6

    /// Creates the default options.
    public init() {}
}

extension ThumbnailOptions.Format: CustomStringConvertible, CustomReflectable {
    /// The choice's name: a format's name or `auto`.
    public var rawValue: String {
        switch self {
        case .fixed(let format): format.name
        case .auto: "auto"
        }
    }

    /// The choice's name.
    public var description: String { rawValue }

    /// A mirror without children, so that reflection shows only the name.
    ///
    /// Receipts store hashes of reflected options, so another mirror would remake every thumbnail.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Returns the format for an image with or without transparency.
    func format(hasAlpha: Bool) -> ImageFormat {
        switch self {
        case .fixed(let format): format
        case .auto: hasAlpha ? .png : .jpeg
        }
    }

    /// The formats that thumbnails of still images can have.
    var formats: Set<ImageFormat> { [format(hasAlpha: false), format(hasAlpha: true)] }
}

extension ThumbnailOptions {
    /// The filter that computes a thumbnail's pixels from the source pixels.
    public enum Kernel: String, Sendable, Hashable, CaseIterable {
        /// Lanczos with three lobes: sharp, with little ringing.
        case lanczos3
        /// The Mitchell-Netravali cubic: softer, with almost no ringing.
        case mitchell
        /// The mean of the covered source pixels: no ringing. Enlargements interpolate linearly.
        case area
        /// ``area``, and ``lanczos3`` for enlargements.
        case areaLanczos3 = "area-lanczos3"
        /// The nearest source pixel, which suits pixel art and masks; always uses a full-size decode.
        case nearest
    }

    /// The part of an image to keep when cropping, and the image's position when padding.
    public enum Gravity: String, Sendable, Hashable, CaseIterable {
        case centre, north, northeast, east, southeast, south, southwest, west, northwest
        /// The part that draws the eye most, by detail, colour and distance from the border; `centre` when padding.
        case attention
    }

    /// A trade-off between speed and accuracy.
    public enum QualityMode: String, Sendable, Hashable, CaseIterable {
        /// Decodes at about the thumbnail's size where the codec can shrink, and skips the last luma bits of
        /// progressive JPEGs.
        ///
        /// This is fastest and slightly softer.
        case fast
        /// Decodes at twice the thumbnail's size where the codec can shrink; visually equal to a full decode.
        case good
        /// Decodes every image at full size, and makes each thumbnail from that.
        case exact
    }

    /// The decoder for JPEG and PNG.
    public enum Decoder: String, Sendable, Hashable, CaseIterable {
        /// Sluice's own decoders for usual files, and libjpeg-turbo and libpng for all others.
        case auto
        /// Always libjpeg-turbo and libpng.
        case reference
    }

    /// The chroma subsampling of a JPEG or an AVIF, by its usual name.
    public enum Subsampling: String, Sendable, Hashable, CaseIterable {
        /// One chroma sample for 2x2 pixels: small files, good for photographs.
        case half = "420"
        /// One chroma sample for two neighbouring pixels in a row.
        case columns = "422"
        /// One chroma sample for each pixel: for text, drawings and sharp red edges.
        case full = "444"
    }
}

extension ThumbnailOptions {
    /// The pixels of a thumbnail that a result has for comparisons, at ``ThumbnailResult/sampleSide`` places in each
    /// direction.
    package enum Sampling: String, Sendable, Hashable, CaseIterable {
        case none
        /// One byte for each place.
        case brightness
        /// Red, green and blue for each place.
        case colors
        /// The bytes of ``PictureTraits`` instead of pixels.
        case traits

        /// The number of bytes of a sample.
        package var length: Int {
            let places = ThumbnailResult.sampleSide * ThumbnailResult.sampleSide
            return switch self {
            case .none: 0
            case .brightness: places
            case .colors: 3 * places
            case .traits: PictureTraits.length
            }
        }
    }

    /// How embedded colour profiles are handled.
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// Converts colours to sRGB and writes no profile, because viewers assume sRGB for images without one.
        case srgb
        /// Keeps the colours and writes the profile into the thumbnail.
        ///
        /// CMYK images, and profiles that the output format cannot hold, are converted to sRGB with a note.
        case keep
        /// Ignores the profile, keeps the sample values unchanged, and writes no profile.
        case strip
    }

    /// The dynamic range of thumbnails.
    public enum DynamicRange: String, Sendable, Hashable, CaseIterable {
        /// Standard dynamic range only.
        case sdr
        /// JPEG thumbnails of a JPEG with a gain map (Ultra HDR, ISO 21496-1) have its part of the map.
        ///
        /// Displays of high dynamic range show them brighter; the pixels are the same as without the map.
        case keep
    }

    /// Metadata that a thumbnail can keep; by default it keeps none.
    public enum Metadata: String, Sendable, Hashable, CaseIterable {
        /// The EXIF facts about camera, shot and people, without the location and the maker notes.
        case exif
        /// Artist and copyright from EXIF; missing ones are taken from XMP, then from IPTC.
        case copyright
        /// The EXIF location.
        case gps
    }
}

/// A size as users write it: `256` (a box), `320x240`, `x200` (a height) or `200x` (a width).
public struct ThumbnailSize: Sendable, Hashable, CustomStringConvertible {
    /// The box's width; `nil` follows from the height and the aspect ratio.
    public var width: Int?
    /// The box's height; `nil` follows from the width and the aspect ratio.
    public var height: Int?

    /// Creates a size; at least one side must be given.
    public init(width: Int?, height: Int?) {
        precondition(width != nil || height != nil, "a size has at least one side")
        self.width = width
        self.height = height
    }

    /// Parses a size; `nil` if the text is malformed or a side is not from 1 to 16383.
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

    /// The size as users write it, which is also the name of its folder.
    public var description: String {
        if let width, width == height { return "\(width)" }
        return "\(width.map(String.init) ?? "")x\(height.map(String.init) ?? "")"
    }
}

/// The limits above which an image is rejected.
public struct ImageLimits: Sendable, Hashable {
    /// The maximum number of pixels of an image that is decoded; checked before anything is allocated.
    public var pixels = 100_000_000
    /// The maximum number of scans of a progressive JPEG.
    public var scans = 100
    /// The maximum memory of a decode in bytes, without the thumbnails.
    ///
    /// Images that a decoder keeps whole need much: progressive and interlaced ones, WebP, AVIF and HEIC.
    public var memory = 512 << 20
    /// The maximum duration of a decode in seconds.
    public var seconds = 20.0

    /// Creates the default limits.
    public init() {}
}
