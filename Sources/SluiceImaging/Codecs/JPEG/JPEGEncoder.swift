// SPDX-License-Identifier: MIT

internal import CSluice
internal import SluiceSystem

struct JPEGEncoder: ImageEncoding {
    let capabilities = EncoderCapabilities(
        maxSide: 65500, keepsGrey: true, hasQuality: true, smallSubsamplings: [.full, .half])
    /// Larger pictures are never compact, which would take more than 64 MB of memory.
    private static let maxCompactPixels = 1 << 22

    func encode(_ raster: Raster, _ settings: ImageEncoder) throws(ImagingError) -> [UInt8] {
        var out: UnsafeMutablePointer<UInt8>? = nil
        var count = 0
        let exif = settings.metadata.exif.isEmpty ? [] : Array("Exif\0\0".utf8) + settings.metadata.exif
        let shared = settings.subsampling.sharedPixels
        let verdict = unsafe exif.withUnsafeBufferPointer { exif in
            unsafe settings.metadata.profile.withUnsafeBufferPointer { profile in
                var plan = unsafe csluice_jpeg_options(
                    width: Int32(raster.width), height: Int32(raster.height), channels: Int32(raster.layout.channels),
                    quality: Int32(settings.quality), progressive: settings.isProgressive,
                    shared_across: shared.across, shared_down: shared.down, exif: exif.baseAddress,
                    exif_count: exif.count, profile: profile.baseAddress, profile_count: profile.count)
                guard settings.isCompact, raster.width * raster.height <= Self.maxCompactPixels else {
                    return unsafe csluice_jpeg_write(&plan, raster.bytes, &out, &count)
                }
                return unsafe csluice_jpeg_write_compact(&plan, raster.bytes, &out, &count) ? .ok : .memory
            }
        }
        return try unsafe takeOutput(of: .jpeg, verdict, out, count) { unsafe free($0) }
    }
}

extension ThumbnailOptions.Subsampling {
    /// The number of pixels that share one chroma sample.
    fileprivate var sharedPixels: (across: Int32, down: Int32) {
        switch self {
        case .half: (2, 2)
        case .columns: (2, 1)
        case .full: (1, 1)
        }
    }
}
