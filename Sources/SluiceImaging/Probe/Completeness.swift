// SPDX-License-Identifier: MIT

/// Whether a file has its end: a download that ended well may still be half a picture.
///
/// This looks at the frame of the file only, at the disk's speed; a decode finds what is broken within.
enum Completeness {
    /// Fails as `truncated` if the end lacks, and as `tooManyScans` before a decoder would spend its time on them.
    static func check(
        _ source: PictureBytes, _ info: ImageInfo, limits: ImageLimits, watch: Watch
    ) throws(ImagingError) {
        var window = ByteWindow(source, span: 65536)
        switch info.format {
        case .jpeg: try checkJPEG(&window, info, mostScans: limits.scans, watch)
        case .png: try checkPNG(&window, watch)
        case .webp: try checkWebP(&window)
        default: break
        }
    }

    /// The most pixels that all scans together may go through: each costs a decoder about a nanosecond.
    private static let mostScannedPixels = 3_000_000_000

    private static func checkJPEG(
        _ window: inout ByteWindow, _ info: ImageInfo, mostScans: Int, _ watch: Watch
    ) throws(ImagingError) {
        var segments = JPEGSegments()
        var scans = 0
        let cut = try damage(isKept: true) { () throws(ImagingError) in
            while let segment = try segments.next(in: &window) {
                guard segment.marker == 0xDA else { continue }
                try watch.check()
                scans += 1
            }
        }
        guard scans <= mostScans else { throw ImagingError(.tooManyScans, "\(scans) (limit \(mostScans))") }
        guard scans <= max(1, mostScannedPixels / (info.width * info.height)) else {
            throw ImagingError(.tooManyScans, "\(scans) of \(info.width)x\(info.height) pixels")
        }
        if let cut { throw cut }
        guard scans > 0 else { throw ImagingError(.corrupt, "no scan") }
    }

    private static func checkPNG(_ window: inout ByteWindow, _ watch: Watch) throws(ImagingError) {
        var chunks = PNGChunks(offset: 8)
        var hasPixels = false
        while let chunk = try chunks.next(in: &window) {
            try watch.check()
            hasPixels = hasPixels || chunk.name == "IDAT"
        }
        guard hasPixels else { throw ImagingError(.corrupt, "no pixels") }
    }

    static func checkWebP(_ window: inout ByteWindow) throws(ImagingError) {
        let claimed = try WebPChunks.claimedCount(&window)
        guard claimed <= window.count else {
            throw ImagingError(.truncated, "\(window.count) of \(claimed) bytes")
        }
    }
}
