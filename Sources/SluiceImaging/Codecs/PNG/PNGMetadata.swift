// SPDX-License-Identifier: MIT

internal import CZlib

/// The EXIF block and the XMP packet of a PNG, which editors store in several kinds of chunks, also after the pixels.
///
/// Of several chunks of one kind, the last one counts, as in Pillow. The orientation in XMP counts in no format, as in
/// browsers and libvips: editors turn the picture and leave the packet as it was.
struct PNGMetadata {
    /// The content of the eXIf chunk.
    private var exif: Range<Int>?
    /// The EXIF block as ImageMagick stores it: a text in hexadecimal digits.
    private var profile: PNGText?
    private var xmp: PNGText?

    /// The maximum number of chunks between the first pixels and a chunk that is still found.
    private static let maxChunks = 100_000

    /// Notes where a chunk is, if it has metadata.
    mutating func add(_ chunk: PNGChunks.Chunk, in window: inout ByteWindow) throws(ImagingError) {
        if chunk.name == "eXIf" {
            exif = chunk.body
        } else if let text = try PNGText(chunk, named: "Raw profile type exif", in: &window) {
            profile = text
        } else if let text = try PNGText(chunk, named: "XML:com.adobe.xmp", in: &window) {
            xmp = text
        }
    }

    /// Searches the chunks after the first pixels, unless the EXIF block is before them.
    ///
    /// Damage there does not concern the header, and ends the search.
    mutating func addTrailing(_ chunks: PNGChunks, in window: ByteWindow) throws(ImagingError) {
        guard exif == nil else { return }
        // A small buffer, because each chunk of pixels is skipped.
        var window = window.rereading(span: 512)
        var chunks = chunks
        do throws(ImagingError) {
            for _ in 0..<Self.maxChunks {
                guard let chunk = try chunks.next(in: &window) else { return }
                try add(chunk, in: &window)
            }
        } catch {
            if error.code == .disk { throw error }
        }
    }

    /// Reads the metadata into a header.
    func apply(to header: inout ImageHeader, _ window: inout ByteWindow) throws(ImagingError) {
        if let exif, exif.count <= EXIFBlock.maxBytes {
            header.readEXIF(Self.withoutPrefix(try window.bytes(exif)))
        } else if exif == nil, let profile {
            if let block = try profile.content(in: &window).flatMap(Self.block) {
                header.readEXIF(Self.withoutPrefix(block))
            } else {
                header.notes.append("EXIF ignored: its text cannot be unpacked")
            }
        }
        if let xmp, !xmp.isCompressed { header.creditLocations.xmp = xmp.body }
    }

    /// Decodes a text of three lines (empty, name and length) and hexadecimal digits; `nil` if it is malformed.
    private static func block(of text: [UInt8]) -> ArraySlice<UInt8>? {
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4 else { return nil }
        let digits = lines[3].filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard digits.count % 2 == 0 else { return nil }
        var block: [UInt8] = []
        block.reserveCapacity(digits.count / 2)
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[start]), let low = value(of: digits[start + 1]) else { return nil }
            block.append(high << 4 | low)
        }
        return block[...]
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46, 0x61...0x66: digit & 0x0F + 9
        default: nil
        }
    }

    /// Removes JPEG's prefix, which some writers put before the block.
    private static func withoutPrefix(_ block: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        block.starts(with: Array("Exif\0\0".utf8)) ? block.dropFirst(6) : block
    }
}

/// The text of a tEXt, zTXt or iTXt chunk.
struct PNGText {
    /// The byte range of the text, which may be compressed.
    let body: Range<Int>
    let isCompressed: Bool

    /// The maximum size of a text in bytes, before and after it is unpacked.
    private static let maxBytes = 1 << 20
    /// The maximum size in bytes of the fields before the text.
    private static let maxFields = 512

    /// Finds the text of a chunk; `nil` if the chunk has another keyword, or is malformed.
    init?(_ chunk: PNGChunks.Chunk, named keyword: String, in window: inout ByteWindow) throws(ImagingError) {
        guard ["tEXt", "zTXt", "iTXt"].contains(chunk.name),
            let rest = try window.content(chunk.body, after: keyword + "\0")
        else { return nil }
        switch chunk.name {
        case "tEXt": (body, isCompressed) = (rest, false)
        case "zTXt":
            guard let method = try window.bytes(rest.prefix(1)).first, method == 0 else { return nil }
            (body, isCompressed) = (rest.dropFirst(), true)
        default:
            let fields = Array(try window.bytes(rest.prefix(Self.maxFields)))
            // A flag and a method, then the language and the translated keyword, each with a zero byte.
            guard fields.count > 2, fields[0] == 0 || fields[1] == 0,
                let language = fields[2...].firstIndex(of: 0), let title = fields[(language + 1)...].firstIndex(of: 0)
            else { return nil }
            (body, isCompressed) = (rest.dropFirst(title + 1), fields[0] != 0)
        }
    }

    /// Returns the unpacked text; `nil` if it is too large or invalid.
    func content(in window: inout ByteWindow) throws(ImagingError) -> [UInt8]? {
        guard body.count <= Self.maxBytes else { return nil }
        let bytes = Array(try window.bytes(body))
        return isCompressed ? Self.unpacked(bytes) : bytes
    }

    private static func unpacked(_ bytes: [UInt8]) -> [UInt8]? {
        var isValid = false
        let text = unsafe [UInt8](unsafeUninitializedCapacity: maxBytes) { buffer, filled in
            var count = uLongf(maxBytes)
            isValid = unsafe uncompress(buffer.baseAddress, &count, bytes, uLong(bytes.count)) == Z_OK
            filled = isValid ? Int(count) : 0
        }
        return isValid ? text : nil
    }
}
