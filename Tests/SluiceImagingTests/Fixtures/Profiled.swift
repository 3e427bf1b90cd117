// SPDX-License-Identifier: MIT

@testable import SluiceImaging

/// Files with metadata, put together without the library's own writing of it.
enum Profiled {
    /// A picture with an embedded profile, which a JPEG has in two parts and in the wrong order.
    static func file(_ picture: Raster, _ format: ImageFormat, _ profile: [UInt8]) throws -> [UInt8] {
        try file(of: Pictures.file(format, picture), picture, format, profile)
    }

    static func file(of file: [UInt8], _ picture: Raster, _ format: ImageFormat, _ profile: [UInt8]) -> [UInt8] {
        switch format {
        case .jpeg:
            let halves = [profile.prefix(100), profile.dropFirst(100)]
            let segments = [1, 0].flatMap {
                Files.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8($0 + 1), 2] + halves[$0])
            }
            return Files.jpeg(file, inserting: segments)
        case .png:
            return Files.png(file, inserting: Files.chunk("iCCP", Array("test\0\0".utf8) + Files.zlib(profile)))
        default:
            return Files.extendedWebP(
                file, width: picture.width, height: picture.height, flags: 0x20,
                before: Files.riffChunk("ICCP", profile))
        }
    }

    /// A picture with an EXIF block.
    static func file(_ picture: Raster, _ format: ImageFormat, exif: [UInt8]) throws -> [UInt8] {
        let file = try Pictures.file(format, picture)
        switch format {
        case .jpeg: return Files.jpeg(file, inserting: Files.segment(0xE1, Array("Exif\0\0".utf8) + exif))
        case .png: return Files.png(file, inserting: Files.chunk("eXIf", exif))
        default:
            return Files.extendedWebP(
                file, width: picture.width, height: picture.height, flags: 0x08, after: Files.riffChunk("EXIF", exif))
        }
    }
}
