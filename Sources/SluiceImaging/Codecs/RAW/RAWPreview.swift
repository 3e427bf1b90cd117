// SPDX-License-Identifier: MIT

/// The largest JPEG preview in a raw photo.
struct RAWPreview {
    /// More than any camera writes.
    private static let maxPreviews = 16
    /// Larger than any camera's preview.
    private static let maxBytes = 64 << 20
    /// More than any preview has before its frame.
    private static let maxSegments = 256

    /// The preview's place in the file.
    let range: Range<Int>
    /// The preview's header, with ranges that count from the preview's start.
    let header: ImageHeader
    /// The error of a larger preview that the file lacks, if a smaller one replaces it.
    private(set) var missing: ImagingError?

    /// Finds the preview with the most pixels; throws `unsupported` if no usual JPEG is found.
    ///
    /// Throws `truncated` if the file lacks a preview, unless it is salvaged and has another one.
    init(in layout: RAWLayout, salvages: Bool, _ window: inout ByteWindow) throws(ImagingError) {
        var missing: ImagingError?
        for ranges in [layout.previews.prefix(Self.maxPreviews), [layout.fallback].compactMap(\.self)[...]] {
            let damage = try captureDamage(if: salvages) { [count = window.count] () throws(ImagingError) in
                try Self.checkEnds(of: ranges, count: count)
            }
            missing = missing ?? damage
            guard let found = try Self.largest(of: ranges, &window) else { continue }
            self = found
            self.missing = missing
            return
        }
        throw missing ?? ImagingError(.unsupported, "raw photo without a JPEG preview")
    }

    /// Throws if a file of `count` bytes lacks a preview; otherwise it would pass for one with a smaller preview.
    private static func checkEnds(of ranges: ArraySlice<Range<Int>>, count: Int) throws(ImagingError) {
        for range in ranges where isPlausible(range) && range.upperBound > count {
            throw ImagingError(.truncated, "\(count) of \(range.upperBound) bytes")
        }
    }

    private static func isPlausible(_ range: Range<Int>) -> Bool { range.count > 3 && range.count <= maxBytes }

    private static func largest(
        of ranges: ArraySlice<Range<Int>>, _ window: inout ByteWindow
    ) throws(ImagingError) -> RAWPreview? {
        var best: RAWPreview?
        for range in ranges where isPlausible(range) && range.upperBound <= window.count {
            guard try isPhotograph(range, &window), let header = try? ImageHeader(of: window.part(range)),
                header.info.colorModel != .cmyk, header.info.bitDepth == 8
            else { continue }
            if header.info.pixels > best?.header.info.pixels ?? 0 { best = RAWPreview(range: range, header: header) }
        }
        return best
    }

    private init(range: Range<Int>, header: ImageHeader) {
        self.range = range
        self.header = header
    }

    /// Returns whether a range starts with a JPEG that is not a lossless one, as the sensor's data often is.
    private static func isPhotograph(_ range: Range<Int>, _ window: inout ByteWindow) throws(ImagingError) -> Bool {
        guard try window.uint16(at: range.lowerBound) == 0xFFD8 else { return false }
        var offset = range.lowerBound + 2
        for _ in 0..<maxSegments where offset + 4 <= range.upperBound {
            switch try window.uint16(at: offset) {
            case 0xFFC0...0xFFC2: return true
            // Tables, application data and comments.
            case 0xFFC4, 0xFFDB, 0xFFDD, 0xFFE0...0xFFFE: offset += 2 + (try window.uint16(at: offset + 2))
            default: return false
            }
        }
        return false
    }
}

extension ImageInfo {
    /// The number of pixels; a preview's sides have at most 16 bits.
    fileprivate var pixels: Int { width * height }
}
