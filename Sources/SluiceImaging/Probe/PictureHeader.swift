// SPDX-License-Identifier: MIT

/// All that a file tells before it is decoded: what is public, and what the decoders need beside.
struct PictureHeader {
    var info: ImageInfo
    /// Whether the pictures are frames of an animation, even if there is only one.
    var isAnimated = false
    /// How many coefficients a JPEG's decoder keeps until the last scan has come; 0 if it keeps none.
    var coefficients = 0
    /// Whether a WebP's picture is packed without loss, as far as the header tells.
    var isLossless = false
    /// Where in the file the parts of the colour profile lie, in their order.
    var profile: [Range<Int>] = []
    /// What a PNG tells of its colours beside a profile.
    var colors = PNGColors()
    /// The EXIF block, unless it is too large or there is none.
    private(set) var exif: [UInt8]?
    /// Where XMP and IPTC lie.
    var creditPlaces = CreditPlaces()
    /// What is odd, but does no harm.
    var notes: [String] = []

    init(_ info: ImageInfo) { self.info = info }

    /// Reads the header, whatever the format; `salvages` is content without what stands behind the pixels.
    init(of source: PictureBytes, salvages: Bool = false) throws(ImagingError) {
        guard source.count > 0 else { throw ImagingError(.emptyInput, "0 bytes") }
        var window = ByteWindow(source)
        let start = Array(try window.bytes(at: 0, count: min(32, source.count)))
        switch ImageFormat(sniffing: start) {
        case .jpeg: self = try Self.jpeg(&window)
        case .png: self = try Self.png(&window)
        case .webp: self = try Self.webp(&window, salvages: salvages)
        case let other?: throw ImagingError(.unsupported, other.name)
        case nil where ImageFormat.mayStart(with: start): throw ImagingError(.truncated, "\(source.count) bytes")
        case nil: throw ImagingError(.notAnImage, Self.describe(start))
        }
        guard info.width > 0, info.height > 0 else {
            throw ImagingError(.corrupt, "\(info.width)x\(info.height) pixels")
        }
    }

    /// Takes the orientation out of an EXIF block; a broken one is a note.
    mutating func readEXIF(_ block: ArraySlice<UInt8>) {
        let block = Array(block)
        exif = block
        do {
            info.orientation = try EXIFBlock.orientation(in: block) ?? info.orientation
        } catch {
            notes.append("EXIF ignored: \(error.reason)")
        }
    }

    /// The first bytes, for a message: as text if they are, else as numbers.
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
