// SPDX-License-Identifier: MIT

internal import CAVIF

/// Converts decoded planes of brightness and colour differences to rows of grey, RGB or RGBA with 8 bits per sample.
///
/// Samples of high dynamic range are converted to 16 bits first, since 8 bits would show steps after the tone mapping.
/// Rows are converted in bands, so that the whole picture exists in memory only once. libavif does the arithmetic, for
/// every codec that decodes to such planes.
enum YUVConverter {
    private static let bandRows = 64
    /// The rows above and below a band that the interpolation of its colours reads; even, since colours may have half
    /// the rows.
    private static let margin = 4

    /// The memory in bytes of a band.
    static func memory(for header: ImageHeader) -> Int {
        bandBytes(bandRows, width: header.decodedInfo.width, channels: 4) * (header.dynamicRange == nil ? 1 : 2)
    }

    /// Passes the rows of a decoded image to the receiver, which knows nothing of it yet, without what the crop hides.
    ///
    /// The image's planes stay as they are.
    static func deliver(
        _ image: avifImage, of header: ImageHeader, watchdog: DecodeWatchdog, to receiver: some RowReceiving
    ) throws(ImagingError) {
        var shape = RowShape(of: header.info, width: header.info.width, height: header.info.height)
        guard let range = header.dynamicRange else {
            return try unsafe deliver(image, of: header, as: shape, watchdog: watchdog, to: receiver)
        }
        shape.depth = 16
        try unsafe deliver(
            image, of: header, as: shape, watchdog: watchdog, to: ToneMapper(range, for: receiver))
    }

    private static func deliver(
        _ image: avifImage, of header: ImageHeader, as shape: RowShape, watchdog: DecodeWatchdog,
        to receiver: some RowReceiving
    ) throws(ImagingError) {
        let info = header.decodedInfo
        let (left, top) = (header.crop?.x ?? 0, header.crop?.y ?? 0)
        let shown = top..<top + header.info.height
        let channels = info.hasAlpha ? 4 : 3
        let sampleBytes = shape.depth / 8
        let pixelBytes = channels * sampleBytes
        let band = SampleBuffer<UInt8>(
            count: bandBytes(min(bandRows, info.height), width: info.width, channels: pixelBytes), zero: 0)
        let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
        try receiver.begin(shape)
        for first in stride(from: 0, to: info.height, by: bandRows) {
            try watchdog.check()
            let rows = first..<min(first + bandRows, info.height)
            let start = try unsafe convert(rows, of: image, info, channels, sampleBytes: sampleBytes, into: band)
            for number in rows.clamped(to: shown) {
                let offset = start + ((number - first) * info.width + left) * pixelBytes
                if shape.layout == .grey {
                    unsafe copyGrey(band.base + offset, shape, into: row.base)
                    row.withSpan(0..<row.count) { receiver.receive($0) }
                } else {
                    band.withSpan(offset..<offset + shape.rowBytes) { receiver.receive($0) }
                }
            }
        }
    }

    /// Copies the first of three equal samples of each pixel.
    private static func copyGrey(
        _ source: UnsafePointer<UInt8>, _ shape: RowShape, into target: UnsafeMutablePointer<UInt8>
    ) {
        if shape.depth == 8 {
            for column in 0..<shape.width { unsafe target[column] = source[column * 3] }
        } else {
            for column in 0..<shape.width {
                unsafe target[column * 2] = source[column * 6]
                unsafe target[column * 2 + 1] = source[column * 6 + 1]
            }
        }
    }

    private static func bandBytes(_ rows: Int, width: Int, channels: Int) -> Int {
        (rows + 2 * margin) * width * channels
    }

    /// Converts a band of rows with its margins; returns the offset of its first row.
    private static func convert(
        _ band: Range<Int>, of image: avifImage, _ info: ImageInfo, _ channels: Int, sampleBytes: Int,
        into target: borrowing SampleBuffer<UInt8>
    ) throws(ImagingError) -> Int {
        let rows = max(0, band.lowerBound - margin)..<min(info.height, band.upperBound + margin)
        precondition(rows.lowerBound % 2 == 0, "bands start at even rows, as colours do")
        let rowBytes = info.width * channels * sampleBytes
        precondition(rows.count * rowBytes <= target.count, "the band fits into the buffer")
        var image = unsafe image
        unsafe image.height = UInt32(rows.count)
        let isHalved = unsafe image.yuvFormat == AVIF_PIXEL_FORMAT_YUV420
        let chroma = isHalved ? rows.lowerBound / 2 : rows.lowerBound
        unsafe image.yuvPlanes.0 = image.yuvPlanes.0.map { unsafe $0 + rows.lowerBound * Int(image.yuvRowBytes.0) }
        unsafe image.yuvPlanes.1 = image.yuvPlanes.1.map { unsafe $0 + chroma * Int(image.yuvRowBytes.1) }
        unsafe image.yuvPlanes.2 = image.yuvPlanes.2.map { unsafe $0 + chroma * Int(image.yuvRowBytes.2) }
        unsafe image.alphaPlane = image.alphaPlane.map { unsafe $0 + rows.lowerBound * Int(image.alphaRowBytes) }
        if try unsafe convertReversible(image, channels, sampleBytes: sampleBytes, into: target) {
            return (band.lowerBound - rows.lowerBound) * rowBytes
        }
        // libavif does not know constant luminance, which differs little from the usual one.
        if unsafe image.matrixCoefficients == 10 { unsafe image.matrixCoefficients = 9 }
        var pixels = unsafe avifRGBImage()
        unsafe avifRGBImageSetDefaults(&pixels, &image)
        unsafe pixels.depth = UInt32(sampleBytes * 8)
        unsafe pixels.format = channels == 4 ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB
        unsafe pixels.pixels = target.base
        unsafe pixels.rowBytes = UInt32(rowBytes)
        let result = unsafe avifImageYUVToRGB(&image, &pixels)
        guard result == AVIF_RESULT_OK else {
            throw unsafe ImagingError(.unsupported, "colours: \(String(cString: avifResultToString(result)))")
        }
        return (band.lowerBound - rows.lowerBound) * rowBytes
    }

    /// Converts RGB of 8 bits that is stored as reversible differences of 10 bits (YCgCo-Re), which libavif 0.11 does
    /// not know; returns false for all others.
    private static func convertReversible(
        _ image: avifImage, _ channels: Int, sampleBytes: Int, into target: borrowing SampleBuffer<UInt8>
    ) throws(ImagingError) -> Bool {
        guard unsafe image.matrixCoefficients == 16, unsafe image.depth == 10, channels == 3, sampleBytes == 1,
            unsafe image.yuvFormat == AVIF_PIXEL_FORMAT_YUV444, let brightness = unsafe image.yuvPlanes.0,
            let green = unsafe image.yuvPlanes.1, let orange = unsafe image.yuvPlanes.2
        else { return false }
        func sample(_ plane: UnsafeMutablePointer<UInt8>, _ offset: Int) -> Int {
            unsafe Int(plane[offset]) | Int(plane[offset + 1]) << 8
        }
        var place = 0
        for row in unsafe 0..<Int(image.height) {
            for column in unsafe 0..<Int(image.width) {
                let greenness = unsafe sample(green, row * Int(image.yuvRowBytes.1) + column * 2) - 512
                let orangeness = unsafe sample(orange, row * Int(image.yuvRowBytes.2) + column * 2) - 512
                let rest =
                    unsafe sample(brightness, row * Int(image.yuvRowBytes.0) + column * 2) - greenness >> 1
                let blue = rest - orangeness >> 1
                for value in [blue + orangeness, rest + greenness, blue] {
                    unsafe target.base[place] = UInt8(min(max(value, 0), 255))
                    place += 1
                }
            }
        }
        return true
    }
}
