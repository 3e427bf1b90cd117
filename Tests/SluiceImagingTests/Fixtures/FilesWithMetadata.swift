// SPDX-License-Identifier: MIT

@testable import SluiceImaging

/// Builds files with metadata without using the library's own metadata writer.
enum FilesWithMetadata {
    /// Makes an image with an embedded profile, which a JPEG stores in two parts in reverse order.
    static func file(_ image: Raster, _ format: ImageFormat, _ profile: [UInt8]) throws -> [UInt8] {
        try file(of: SampleImages.file(format, image), image, format, profile)
    }

    static func file(of file: [UInt8], _ image: Raster, _ format: ImageFormat, _ profile: [UInt8]) -> [UInt8] {
        FormatFixture.of(format).insert(.profile(profile), file, image.width, image.height)
    }

    /// Makes an image with an EXIF block.
    static func file(_ image: Raster, _ format: ImageFormat, exif: [UInt8]) throws -> [UInt8] {
        FormatFixture.of(format).insert(
            .exif(exif), try SampleImages.file(format, image), image.width, image.height)
    }
}
