// SPDX-License-Identifier: MIT

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
