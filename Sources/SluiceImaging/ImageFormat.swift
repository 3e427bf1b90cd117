// SPDX-License-Identifier: MIT

/// An image file format, detected from the file's content and never from its name.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable, Codable {
    case jpeg, png, webp
    // Detected only so that error messages can name them; no decoder is registered for these formats.
    case avif, heic, jxl, gif, tiff, bmp

    /// The format's name in messages, reports and manifests.
    public var name: String { rawValue }

    /// The usual file name extension, without the dot.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// Whether this library can decode the format.
    public var isSupported: Bool { Decoders.decoder(for: self) != nil }

    /// Detects the format from a file's first bytes; 32 bytes suffice.
    public init?(sniffing bytes: [UInt8]) {
        let found = Signature.all.first { $0.matches(bytes) }
        guard let found else { return nil }
        self = found.format
    }

    /// Returns whether the bytes are too few to detect a format but match the start of a known signature.
    static func couldStart(with bytes: [UInt8]) -> Bool {
        Signature.all.contains { $0.isPartialMatch(bytes) }
    }
}

/// A format's signature: byte sequences at fixed offsets near the start of the file.
private struct Signature {
    let format: ImageFormat
    let parts: [(offset: Int, bytes: [UInt8])]

    init(_ format: ImageFormat, _ parts: (Int, [UInt8])...) {
        self.format = format
        self.parts = parts.map { (offset: $0.0, bytes: $0.1) }
    }

    func matches(_ bytes: [UInt8]) -> Bool {
        parts.allSatisfy { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
    }

    /// Returns whether the bytes match the signature up to their end, but end before the signature does.
    func isPartialMatch(_ bytes: [UInt8]) -> Bool {
        guard let end = parts.map({ $0.offset + $0.bytes.count }).max(), bytes.count < end else { return false }
        return parts.allSatisfy { part in part.bytes.starts(with: bytes.dropFirst(part.offset).prefix(part.bytes.count))
        }
    }

    static let all: [Signature] =
        [
            Signature(.jpeg, (0, [0xFF, 0xD8, 0xFF])),
            Signature(.png, (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])),
            Signature(.webp, (0, Array("RIFF".utf8)), (8, Array("WEBP".utf8))),
            Signature(.gif, (0, Array("GIF87a".utf8))),
            Signature(.gif, (0, Array("GIF89a".utf8))),
            Signature(.tiff, (0, [0x49, 0x49, 0x2A, 0x00])),
            Signature(.tiff, (0, [0x4D, 0x4D, 0x00, 0x2A])),
            Signature(.tiff, (0, [0x49, 0x49, 0x2B, 0x00])),
            Signature(.tiff, (0, [0x4D, 0x4D, 0x00, 0x2B])),
            Signature(.jxl, (0, [0xFF, 0x0A])),
            Signature(.jxl, (0, [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])),
            Signature(.bmp, (0, Array("BM".utf8)), (6, [0, 0, 0, 0])),
        ] + brands("avif", .avif) + brands("avis", .avif) + brands("heic", .heic) + brands("heix", .heic)
        + brands("hevc", .heic) + brands("heim", .heic) + brands("heis", .heic) + brands("mif1", .heic)
        + brands("msf1", .heic)

    private static func brands(_ brand: String, _ format: ImageFormat) -> [Signature] {
        [Signature(format, (4, Array("ftyp\(brand)".utf8)))]
    }
}
