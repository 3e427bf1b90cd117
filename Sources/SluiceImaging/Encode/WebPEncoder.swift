// SPDX-License-Identifier: MIT

internal import CWebP

/// WebP through libwebp.
struct WebPEncoder: PictureEncoding {
    let format = ImageFormat.webp
    let keepsAlpha = true
    let mostPixelsASide = 16383

    func encode(_ raster: Raster, _ settings: PictureEncoder) throws(ImagingError) -> [UInt8] {
        let colored = raster.expanded(to: raster.layout.hasAlpha ? .rgba : .rgb)
        let width = Int32(raster.width)
        let height = Int32(raster.height)
        let quality = Float(settings.quality)
        var out: UnsafeMutablePointer<UInt8>? = nil
        let count =
            switch (colored.layout, settings.isLossless) {
            case (.rgba, false): unsafe WebPEncodeRGBA(colored.bytes, width, height, width * 4, quality, &out)
            case (.rgba, true): unsafe WebPEncodeLosslessRGBA(colored.bytes, width, height, width * 4, &out)
            case (_, false): unsafe WebPEncodeRGB(colored.bytes, width, height, width * 3, quality, &out)
            case (_, true): unsafe WebPEncodeLosslessRGB(colored.bytes, width, height, width * 3, &out)
            }
        let plain = try unsafe takeOutput(of: format, count > 0 ? out : nil, count) { unsafe WebPFree($0) }
        return settings.metadata.isEmpty ? plain : try Self.file(plain, with: settings.metadata)
    }

    private static func file(_ plain: [UInt8], with metadata: PictureMetadata) throws(ImagingError) -> [UInt8] {
        guard let container = WebPContainer(plain), container.add(metadata.profile, named: "ICCP"),
            container.add(metadata.exif, named: "EXIF"), let file = container.file
        else { throw ImagingError(.internal, "webp metadata failed") }
        return file
    }
}
