// SPDX-License-Identifier: MIT

/// Everything that a file's header declares: the public facts, and details for the decoders.
struct ImageHeader {
    var info: ImageInfo
    /// Whether the images are frames of an animation, even if there is only one.
    var isAnimated = false
    /// The number of coefficientCount that a JPEG decoder keeps until the last scan; 0 for single-scan images.
    var coefficientCount = 0
    /// Whether a WebP is losslessly compressed, according to its header.
    var isLossless = false
    /// The byte ranges of the colour profile's parts, in order.
    var profileRanges: [Range<Int>] = []
    /// The colour information in a PNG's chunks other than an embedded profile.
    var pngColors = PNGColors()
    /// The EXIF block; `nil` if it is missing or too large.
    private(set) var exif: [UInt8]?
    /// The byte ranges of XMP and IPTC data.
    var creditLocations = CreditLocations()
    /// Harmless irregularities in the header.
    var notes: [String] = []

    init(_ info: ImageInfo) { self.info = info }

    /// Reads the header of a supported format; if `salvages` is on, tolerates damage after the pixels.
    init(of input: ImageInput, salvages: Bool = false) throws(ImagingError) {
        guard input.count > 0 else { throw ImagingError(.emptyInput, "0 bytes") }
        var window = ByteWindow(input)
        let start = Array(try window.bytes(at: 0, count: min(32, input.count)))
        switch ImageFormat(sniffing: start) {
        case .jpeg: self = try Self.jpeg(&window)
        case .png: self = try Self.png(&window)
        case .webp: self = try Self.webp(&window, salvages: salvages)
        case let other?: throw ImagingError(.unsupported, other.name)
        case nil where ImageFormat.couldStart(with: start): throw ImagingError(.truncated, "\(input.count) bytes")
        case nil: throw ImagingError(.notAnImage, Self.describe(start))
        }
        guard info.width > 0, info.height > 0 else {
            throw ImagingError(.corrupt, "\(info.width)x\(info.height) pixels")
        }
    }

    /// Stores an EXIF block and reads its orientation; an invalid block becomes a note.
    mutating func readEXIF(_ block: ArraySlice<UInt8>) {
        let block = Array(block)
        exif = block
        do {
            info.orientation = try EXIFBlock.orientation(in: block) ?? info.orientation
        } catch {
            notes.append("EXIF ignored: \(error.reason)")
        }
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
