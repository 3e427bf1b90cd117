// SPDX-License-Identifier: MIT

/// Reads an EXIF block, which is a TIFF structure: directories of entries, each with a tag and values.
///
/// Every offset in the block is checked against the block's size before use.
struct EXIFReader {
    /// The reason why a block is invalid.
    struct InvalidBlock: Error {
        let reason: String
    }

    struct Entry: Hashable {
        let tag: Int
        let type: Int
        let count: Int
        /// The values, in the block's byte order.
        let value: [UInt8]
    }

    let isBigEndian: Bool
    private let block: ImageInput

    init(_ block: [UInt8]) throws(InvalidBlock) { try self.init(ImageInput(block)) }

    /// Reads a TIFF file as the block that it is.
    init(_ block: ImageInput) throws(InvalidBlock) {
        switch (try? block.read(at: 0, count: 4)) ?? [] {
        case [0x4D, 0x4D, 0, 42]: isBigEndian = true
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        default: throw InvalidBlock(reason: "the TIFF header is missing")
        }
        self.block = block
    }

    /// The offset of the first directory.
    var firstDirectory: Int { get throws(InvalidBlock) { try number(at: 4, 4) } }

    /// Returns the offset of the directory that follows another one; 0 if none does.
    func directory(after directory: Int) throws(InvalidBlock) -> Int {
        try number(at: directory + 2 + number(at: directory, 2) * Self.entryBytes, 4)
    }

    /// Returns the offsets of a directory's entries, as many as it declares.
    func entries(at directory: Int) throws(InvalidBlock) -> StrideTo<Int> {
        let start = directory + 2
        return stride(from: start, to: start + (try number(at: directory, 2)) * Self.entryBytes, by: Self.entryBytes)
    }

    private static let entryBytes = 12

    /// Reads the tag of the entry at an offset.
    func tag(at offset: Int) throws(InvalidBlock) -> Int { try number(at: offset, 2) }

    /// Reads the entry at an offset; `nil` if EXIF does not define its type.
    func entry(at offset: Int) throws(InvalidBlock) -> Entry? {
        let type = try number(at: offset + 2, 2)
        let count = try number(at: offset + 4, 4)
        guard let size = Self.sizes[type] else { return nil }
        // A 32-bit count times 8 cannot overflow 64 bits.
        guard count * size <= EXIFBlock.maxBytes else { throw InvalidBlock(reason: "a value is too long") }
        let start = count * size <= 4 ? offset + 8 : try number(at: offset + 8, 4)
        return Entry(
            tag: try tag(at: offset), type: type, count: count, value: try bytes(at: start, count * size))
    }

    /// The bytes per value of each type: byte, ASCII, short, long, rational, their signed counterparts, and floats.
    private static let sizes = [
        1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4,
    ]

    /// Reads a number in the block's byte order.
    func number(at offset: Int, _ count: Int) throws(InvalidBlock) -> Int {
        Int(try bytes(at: offset, count)[...].number(bigEndian: isBigEndian))
    }

    /// Returns some of the block's bytes.
    func bytes(at offset: Int, _ count: Int) throws(InvalidBlock) -> [UInt8] {
        guard offset >= 0, offset <= block.count, count <= block.count - offset,
            let bytes = try? block.read(at: offset, count: count), bytes.count == count
        else { throw InvalidBlock(reason: "an offset lies outside the block") }
        return bytes
    }
}

/// The small JPEG in an EXIF block, and what the block states about its photo.
struct EXIFPreview {
    let bytes: [UInt8]
    /// The orientation of the preview, if its directory states one.
    let orientation: Int?
    /// The size of the stored photo in pixels.
    let photoSize: (width: Int, height: Int)

    private static let compressionTag = 0x0103
    /// The compression of a JPEG.
    private static let jpeg = 6
    private static let startTag = 0x0201
    private static let lengthTag = 0x0202
    private static let widthTag = 0xA002
    private static let heightTag = 0xA003

    /// Finds the preview in the second directory of a block; `nil` without one or without the photo's size.
    init?(in block: [UInt8]) {
        do throws(EXIFReader.InvalidBlock) {
            let reader = try EXIFReader(block)
            let first = try reader.firstDirectory
            let second = try reader.directory(after: first)
            // 0 ends the chain of directories.
            guard second != 0 else { return nil }
            let preview = try EXIFBlock.entries(in: reader, at: second) {
                [Self.compressionTag, Self.startTag, Self.lengthTag, EXIFBlock.orientationTag].contains($0)
            }
            let photo = try EXIFBlock.entries(in: reader, under: EXIFBlock.exifDirectoryTag, at: first) {
                [Self.widthTag, Self.heightTag].contains($0)
            }
            func number(_ tag: Int, in entries: [EXIFReader.Entry]) -> Int? {
                entries.first { $0.tag == tag && $0.count == 1 }?.integer(reader)
            }
            guard let start = number(Self.startTag, in: preview), let length = number(Self.lengthTag, in: preview),
                number(Self.compressionTag, in: preview) ?? Self.jpeg == Self.jpeg,
                let width = number(Self.widthTag, in: photo), let height = number(Self.heightTag, in: photo)
            else { return nil }
            bytes = try reader.bytes(at: start, length)
            orientation = number(EXIFBlock.orientationTag, in: preview)
            photoSize = (width, height)
        } catch {
            return nil
        }
    }
}
