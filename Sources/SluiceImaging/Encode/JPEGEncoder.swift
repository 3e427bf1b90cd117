// SPDX-License-Identifier: MIT

internal import CSluice

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// JPEG through libjpeg-turbo.
struct JPEGEncoder: PictureEncoding {
    let format = ImageFormat.jpeg
    let keepsAlpha = false
    let mostPixelsASide = 65500

    func encode(_ raster: Raster, _ settings: PictureEncoder) throws(ImagingError) -> [UInt8] {
        var out: UnsafeMutablePointer<UInt8>? = nil
        var count = 0
        let exif = Self.exif(settings.orientation)
        let verdict = unsafe exif.withUnsafeBufferPointer { exif in
            var plan = unsafe csluice_jpeg_plan(
                width: Int32(raster.width), height: Int32(raster.height), channels: Int32(raster.layout.channels),
                quality: Int32(settings.quality), progressive: settings.isProgressive,
                subsampled: settings.isSubsampled, exif: exif.baseAddress, exif_count: exif.count)
            return unsafe csluice_jpeg_write(&plan, raster.bytes, &out, &count)
        }
        return try unsafe takeOutput(of: format, verdict == .ok ? out : nil, count) { unsafe free($0) }
    }

    private static func exif(_ orientation: Int) -> [UInt8] {
        orientation == 1 ? [] : Array("Exif\0\0".utf8) + EXIFBlock.saying(orientation: orientation)
    }
}
