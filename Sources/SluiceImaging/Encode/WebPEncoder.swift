// SPDX-License-Identifier: MIT

internal import CWebP

/// WebP through libwebp.
struct WebPEncoder: PictureEncoding {
    let format = ImageFormat.webp
    let keepsAlpha = true
    let mostPixelsASide = 16383

    func encode(_ raster: Raster, _ settings: PictureEncoder) throws(ImagingError) -> [UInt8] {
        let colored = raster.colored
        let width = Int32(raster.width)
        let height = Int32(raster.height)
        let quality = Float(settings.quality)
        var out: UnsafeMutablePointer<UInt8>? = nil
        let count =
            colored.layout == .rgba
            ? unsafe WebPEncodeRGBA(colored.bytes, width, height, width * 4, quality, &out)
            : unsafe WebPEncodeRGB(colored.bytes, width, height, width * 3, quality, &out)
        return try unsafe takeOutput(of: format, count > 0 ? out : nil, count) { unsafe WebPFree($0) }
    }
}

extension Raster {
    /// A grey picture with three channels, for a format that knows no grey.
    fileprivate var colored: Raster {
        guard layout == .grey else { return self }
        return Raster(width: width, height: height, layout: .rgb, bytes: bytes.flatMap { [$0, $0, $0] })
    }
}
