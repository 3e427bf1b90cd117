// SPDX-License-Identifier: MIT

internal import CSluice
internal import SluiceSystem

struct PNGEncoder: ImageEncoding {
    let capabilities = EncoderCapabilities(maxSide: 1_000_000, keepsAlpha: true, keepsGrey: true)

    func encode(_ raster: Raster, _ settings: ImageEncoder) throws(ImagingError) -> [UInt8] {
        var out: UnsafeMutablePointer<UInt8>? = nil
        var count = 0
        let verdict = unsafe settings.metadata.exif.withUnsafeBufferPointer { exif in
            unsafe settings.metadata.profile.withUnsafeBufferPointer { profile in
                var plan = unsafe csluice_png_options(
                    width: Int32(raster.width), height: Int32(raster.height), channels: Int32(raster.layout.channels),
                    level: 6, exif: exif.baseAddress, exif_count: exif.count, profile: profile.baseAddress,
                    profile_count: profile.count)
                return unsafe csluice_png_write(&plan, raster.bytes, &out, &count)
            }
        }
        return try unsafe takeOutput(of: .png, verdict, out, count) { unsafe free($0) }
    }

    /// Asks libpng by encoding one pixel; it rejects some profiles that other libraries use.
    func accepts(profile: [UInt8], isGrey: Bool) -> Bool {
        let layout: PixelLayout = isGrey ? .grey : .rgb
        let pixel = [UInt8](repeating: 0, count: layout.channels)
        var settings = ImageEncoder(.png)
        settings.metadata.profile = profile
        return (try? encode(Raster(width: 1, height: 1, layout: layout, bytes: pixel), settings)) != nil
    }
}
