// SPDX-License-Identifier: MIT

/// The small JPEG in an EXIF block, and what the block states about its photo.
struct EXIFPreview {
    /// The JPEG's bytes.
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
            bytes = Array(try reader.bytes(at: start, length))
            orientation = number(EXIFBlock.orientationTag, in: preview)
            photoSize = (width, height)
        } catch {
            return nil
        }
    }
}
