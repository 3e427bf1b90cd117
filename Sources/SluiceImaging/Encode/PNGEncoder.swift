// SPDX-License-Identifier: MIT

internal import CSluice

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// PNG through libpng.
struct PNGEncoder: PictureEncoding {
    let format = ImageFormat.png
    let keepsAlpha = true
    let mostPixelsASide = 1_000_000

    func encode(_ raster: Raster, _ settings: PictureEncoder) throws(ImagingError) -> [UInt8] {
        var out: UnsafeMutablePointer<UInt8>? = nil
        var count = 0
        var plan = csluice_png_plan(
            width: Int32(raster.width), height: Int32(raster.height), channels: Int32(raster.layout.channels), level: 6)
        let verdict = unsafe csluice_png_write(&plan, raster.bytes, &out, &count)
        return try unsafe takeOutput(of: format, verdict == .ok ? out : nil, count) { unsafe free($0) }
    }
}
