// SPDX-License-Identifier: MIT

/// Checks whether a file contains the end of its image, since a download can succeed with half a file.
///
/// The check reads only the file's structure, at disk speed; damage inside the image data is found by decoding.
enum Completeness {
    /// Throws `truncated` if the end is missing, and `tooManyScans` before a decoder would spend time on them.
    static func check(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input, span: 65536)
        switch info.format {
        case .jpeg: try checkJPEG(&window, info, maxScans: limits.scans, watchdog)
        case .png: try checkPNG(&window, watchdog)
        case .webp: try checkWebP(&window)
        default: break
        }
    }

    /// The maximum number of pixels in all scans together; each costs a decoder about a nanosecond.
    private static let maxScannedPixels = 3_000_000_000

    private static func checkJPEG(
        _ window: inout ByteWindow, _ info: ImageInfo, maxScans: Int, _ watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var segments = JPEGSegments()
        var scans = 0
        let truncation = try captureDamage(if: true) { () throws(ImagingError) in
            while let segment = try segments.next(in: &window) {
                guard segment.marker == 0xDA else { continue }
                try watchdog.check()
                scans += 1
            }
        }
        guard scans <= maxScans else { throw ImagingError(.tooManyScans, "\(scans) (limit \(maxScans))") }
        guard scans <= max(1, maxScannedPixels / (info.width * info.height)) else {
            throw ImagingError(.tooManyScans, "\(scans) of \(info.width)x\(info.height) pixels")
        }
        if let truncation { throw truncation }
        guard scans > 0 else { throw ImagingError(.corrupt, "no scan") }
    }

    private static func checkPNG(_ window: inout ByteWindow, _ watchdog: DecodeWatchdog) throws(ImagingError) {
        var chunks = PNGChunks(offset: 8)
        var hasPixels = false
        while let chunk = try chunks.next(in: &window) {
            try watchdog.check()
            hasPixels = hasPixels || chunk.name == "IDAT"
        }
        guard hasPixels else { throw ImagingError(.corrupt, "no pixels") }
    }

    static func checkWebP(_ window: inout ByteWindow) throws(ImagingError) {
        let declared = try WebPChunks.declaredSize(&window)
        guard declared <= window.count else {
            throw ImagingError(.truncated, "\(window.count) of \(declared) bytes")
        }
    }
}
