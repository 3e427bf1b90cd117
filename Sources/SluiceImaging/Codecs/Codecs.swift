// SPDX-License-Identifier: MIT

/// The image formats that Sluice knows.
///
/// Everything that lists formats reads this list: detection, options, `doctor`, file names, media types, benchmarks and
/// fuzz targets. To add a format, describe it in a folder beside this file and add it here.
enum Codecs {
    static let all: [Codec] =
        [.jpeg, .png, .webp, .avif, .heic, .jxl, .gif] + Codec.rawPhotos + [.tiff, .bmp, .qoi, .jp2, .psd, .svg]
        + Codec.otherPictures + Codec.documents

    private static let byFormat = Dictionary(uniqueKeysWithValues: all.map { ($0.format, $0) })

    /// Returns the description of a format.
    static func codec(of format: ImageFormat) -> Codec {
        guard let codec = byFormat[format] else { preconditionFailure("\(format) is not in the list of codecs") }
        return codec
    }

    /// Returns the decoder for a format; throws `unsupported` for a format that is only recognised.
    static func decoder(for format: ImageFormat) throws(ImagingError) -> any ImageDecoding {
        guard let decoder = codec(of: format).decoder else {
            throw ImagingError(.unsupported, "Sluice cannot read \(format.title)")
        }
        return decoder
    }

    /// Returns the format that a file's first bytes identify.
    static func format(of bytes: [UInt8]) -> ImageFormat? {
        all.first { codec in codec.signatures.contains { $0.matches(bytes) } }?.format
    }

    /// Returns whether the bytes are too few to detect a format but match the start of a known signature.
    static func couldStart(with bytes: [UInt8]) -> Bool {
        all.contains { codec in codec.signatures.contains { $0.isPartialMatch(bytes) } }
    }
}

extension ThumbnailOptions.Format: RawRepresentable, CaseIterable {
    /// Every format that Sluice can write, and ``auto``.
    public static let allCases = ImageFormat.encodable.map(Self.fixed) + [auto]

    /// The choice with this name, a format's or `auto`; `nil` for an unknown name.
    public init?(rawValue: String) {
        guard let choice = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = choice
    }

    /// Whether every thumbnail can be lossless.
    package var canBeLossless: Bool {
        outcomes.allSatisfy { $0.capabilities.canBeLossless || !$0.capabilities.hasQuality }
    }

    /// Whether any thumbnail can be transparent.
    var canKeepAlpha: Bool { outcomes.contains { $0.capabilities.keepsAlpha } }

    /// Whether every thumbnail can be stored in grey.
    var alwaysKeepsGrey: Bool { outcomes.allSatisfy { $0.capabilities.keepsGrey } }

    /// Returns whether every thumbnail can carry a colour profile, if they may or may not be transparent.
    func accepts(profile: [UInt8], isGrey: Bool, mayBeTransparent: Bool) -> Bool {
        let outcomes = mayBeTransparent ? outcomes : [encoder(hasAlpha: false)].compactMap(\.self)
        return outcomes.allSatisfy { $0.accepts(profile: profile, isGrey: isGrey) }
    }

    /// The encoders that this choice can lead to.
    private var outcomes: [any ImageEncoding] {
        Set([format(hasAlpha: false), format(hasAlpha: true)]).compactMap { Codecs.codec(of: $0).encoder }
    }

    private func encoder(hasAlpha: Bool) -> (any ImageEncoding)? {
        Codecs.codec(of: format(hasAlpha: hasAlpha)).encoder
    }
}

extension ImageFormat: RawRepresentable, CaseIterable, Codable {
    /// All formats that Sluice recognises, whether or not it can read them.
    public static let allCases = Codecs.all.map(\.format)
    /// The formats that Sluice can read.
    public static let decodable = Codecs.all.filter { $0.decoder != nil }.map(\.format)
    /// The formats that Sluice can write.
    public static let encodable = Codecs.all.filter { $0.encoder != nil }.map(\.format)

    /// The format with this name; `nil` for an unknown name.
    public init?(rawValue: String) {
        let format = ImageFormat(named: rawValue)
        guard Self.allCases.contains(format) else { return nil }
        self = format
    }

    /// The format's name.
    public var rawValue: String { name }

    /// The number of bytes at the start of a file that suffice to detect its format.
    package static let sniffedBytes = ImageSignature.maxBytes

    /// Detects the format from a file's first bytes; `sniffedBytes` suffice.
    public init?(sniffing bytes: [UInt8]) {
        guard let format = Codecs.format(of: bytes) else { return nil }
        self = format
    }

    /// The format whose files usually have an extension, which is given in lower case and without the dot.
    public init?(fileExtension: String) {
        guard let codec = Codecs.all.first(where: { $0.fileExtensions.contains(fileExtension) }) else { return nil }
        self = codec.format
    }

    private var codec: Codec { Codecs.codec(of: self) }

    /// The format's name in prose, for example `WebP`.
    package var title: String { codec.title }

    /// The media type in HTTP, for example `image/webp`.
    public var mediaType: String { codec.mediaType }

    /// Whether files of the format are pictures, rather than documents or videos, which Sluice only names.
    package var isPicture: Bool { mediaType.hasPrefix("image/") }

    /// The usual file name extensions in lower case, without the dot.
    public var fileExtensions: [String] { codec.fileExtensions }

    /// The file name extension of files that Sluice writes, without the dot.
    public var fileExtension: String { codec.fileExtensions[0] }

    /// Whether Sluice can read the format.
    public var isDecodable: Bool { codec.decoder != nil }

    /// Whether the encoder has a quality setting.
    package var hasQuality: Bool { codec.encoder?.capabilities.hasQuality ?? false }

    /// Whether metadata can be written into files of the format.
    package var embedsMetadata: Bool { codec.embed != nil }

    /// Returns the file with the metadata; `nil` if it stays as it is.
    ///
    /// That is so for formats and structures that Sluice does not write, for a file that has all of the metadata, and
    /// for one whose changes would break a signature (C2PA).
    package func embedding(_ metadata: EmbeddedMetadata, in file: [UInt8]) -> [UInt8]? {
        codec.embed?(metadata, file)
    }
}

extension ImageHeader {
    /// Reads the header of a supported format; if `salvages` is on, tolerates damage after the pixels.
    init(of input: ImageInput, salvages: Bool = false) throws(ImagingError) {
        guard input.count > 0 else { throw ImagingError(.emptyInput, "0 bytes") }
        var window = ByteWindow(input)
        let start = Array(try window.bytes(at: 0, count: min(ImageSignature.maxBytes, input.count)))
        guard let format = Codecs.format(of: start) else {
            guard !Codecs.couldStart(with: start) else { throw ImagingError(.truncated, "\(input.count) bytes") }
            throw ImagingError(.notAnImage, Self.describe(start))
        }
        do throws(ImagingError) {
            self = try Codecs.decoder(for: format).readHeader(&window, salvages: salvages)
        } catch {
            throw error.of(format)
        }
        guard info.width > 0, info.height > 0 else {
            throw ImagingError(.corrupt, "\(info.width)x\(info.height) pixels")
        }
    }

    /// Returns the embedded colour profile, or one made from the header's colours.
    ///
    /// Returns `nil` if the colours are sRGB or the profile is too large.
    func readProfile(_ input: ImageInput) throws(ImagingError) -> [UInt8]? {
        if dynamicRange != nil { return nil }
        if let overridingColors { return makeProfile(of: overridingColors) }
        if info.hasProfile, let embedded = try Codecs.decoder(for: info.format).readProfile(of: self, input) {
            return embedded
        }
        return fallbackColors.flatMap(makeProfile)
    }

    private func makeProfile(of colors: Colorimetry) -> [UInt8]? {
        colors.isSRGB ? nil : colors.profile(isGrey: info.colorModel == .grey)
    }

    /// Describes the first bytes for a message: as text if they are printable, else in hexadecimal.
    private static func describe(_ start: [UInt8]) -> String {
        let text = start.prefix(12)
        if text.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            return "starts with \"\(String(decoding: text, as: UTF8.self))\""
        }
        let digits = Array("0123456789abcdef")
        let numbers = start.prefix(8).map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
        return "starts with \(numbers.joined(separator: " "))"
    }
}

extension ImageInfo {
    /// Reads the header of an open file; the file's position is neither used nor changed.
    ///
    /// Reads only the first kilobytes, whatever sizes the file declares.
    public init(descriptor: Int32) throws(ImagingError) {
        self = try ImageHeader(of: ImageInput(descriptor: descriptor)).info
    }

    /// Reads the header from a file's first bytes; throws `truncated` if they are too few.
    public init(bytes: [UInt8]) throws(ImagingError) {
        self = try ImageHeader(of: ImageInput(bytes)).info
    }
}
