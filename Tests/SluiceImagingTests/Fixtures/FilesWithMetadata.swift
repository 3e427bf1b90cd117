// SPDX-License-Identifier: MIT

@testable import SluiceImaging

/// Builds files with metadata without using the library's own metadata writer.
enum FilesWithMetadata {
    /// Makes an image with an embedded profile, which a JPEG stores in two parts in reverse order.
    static func file(_ image: Raster, _ format: ImageFormat, _ profile: [UInt8]) throws -> [UInt8] {
        try file(of: SampleImages.file(format, image), image, format, profile)
    }

    static func file(of file: [UInt8], _ image: Raster, _ format: ImageFormat, _ profile: [UInt8]) -> [UInt8] {
        switch format {
        case .jpeg:
            let halves = [profile.prefix(100), profile.dropFirst(100)]
            let segments = [1, 0].flatMap {
                FileBuilder.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8($0 + 1), 2] + halves[$0])
            }
            return FileBuilder.jpeg(file, inserting: segments)
        case .png:
            return FileBuilder.png(
                file, inserting: FileBuilder.chunk("iCCP", Array("test\0\0".utf8) + FileBuilder.zlib(profile)))
        default:
            return FileBuilder.extendedWebP(
                file, width: image.width, height: image.height, flags: 0x20,
                before: FileBuilder.riffChunk("ICCP", profile))
        }
    }

    /// Makes an image with an EXIF block.
    static func file(_ image: Raster, _ format: ImageFormat, exif: [UInt8]) throws -> [UInt8] {
        let file = try SampleImages.file(format, image)
        switch format {
        case .jpeg: return FileBuilder.jpeg(file, inserting: FileBuilder.segment(0xE1, Array("Exif\0\0".utf8) + exif))
        case .png: return FileBuilder.png(file, inserting: FileBuilder.chunk("eXIf", exif))
        default:
            return FileBuilder.extendedWebP(
                file, width: image.width, height: image.height, flags: 0x08, after: FileBuilder.riffChunk("EXIF", exif))
        }
    }
}
