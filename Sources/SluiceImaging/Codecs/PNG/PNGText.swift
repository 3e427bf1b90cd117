// SPDX-License-Identifier: MIT

internal import CZlib

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
