// SPDX-License-Identifier: MIT

internal import CAVIF

/// Owns a libavif decoder, which decodes the primary picture with dav1d in the calling thread.
@safe struct AVIFReader: ~Copyable {
    /// The rows above and below a band that the interpolation of its colours reads; even, since colours may have half
    /// the rows.
    private static let margin = 4

    private let handle: UnsafeMutablePointer<avifDecoder>

    init(_ info: ImageInfo) throws(ImagingError) {
        guard let handle = unsafe avifDecoderCreate() else {
            throw ImagingError(.decodeLimit, "no memory for an AVIF decoder")
        }
        unsafe self.handle = handle
        unsafe handle.pointee.codecChoice = AVIF_CODEC_CHOICE_DAV1D
        unsafe handle.pointee.maxThreads = 1
        unsafe handle.pointee.requestedSource = AVIF_DECODER_SOURCE_PRIMARY_ITEM
        unsafe handle.pointee.ignoreExif = 1
        unsafe handle.pointee.ignoreXMP = 1
        // Many writers omit the boxes that the other strict checks require, and browsers accept such files.
        unsafe handle.pointee.strictFlags = AVIF_STRICT_ALPHA_ISPE_REQUIRED.rawValue
        unsafe handle.pointee.imageSizeLimit = Self.maxPixels(info)
        unsafe handle.pointee.imageDimensionLimit = 0
    }

    deinit { unsafe avifDecoderDestroy(handle) }

    /// Returns the limit for the picture and its tiles, which may exceed the picture a little.
    private static func maxPixels(_ info: ImageInfo) -> UInt32 {
        let (columns, rows) = ((info.width + 1023) / 1024, (info.height + 1023) / 1024)
        let (blocks, overflow) = columns.multipliedReportingOverflow(by: rows)
        // libavif rejects a larger limit than this.
        return overflow || blocks >= 256 ? 16384 * 16384 : UInt32(blocks << 20)
    }

    /// Decodes a file.
    func decode(_ file: [UInt8], _ info: ImageInfo) throws(ImagingError) {
        try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            try Self.check(unsafe avifDecoderSetIOMemory(handle, bytes.baseAddress, bytes.count))
            try Self.check(unsafe avifDecoderParse(handle))
            try Self.check(unsafe avifDecoderNextImage(handle))
        }
        let image = unsafe handle.pointee.image.pointee
        let isGrey = unsafe image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400
        guard unsafe Int(image.width) == info.width, unsafe Int(image.height) == info.height,
            isGrey == (info.colorModel == .grey)
        else { throw ImagingError(.corrupt, "the AVIF picture differs from its header") }
    }

    /// Converts a band of decoded rows to RGB or RGBA with 8 bits per sample; returns the offset of its first row.
    ///
    /// `target` has room for the band and its margins, as ``bandBytes(_:channels:)`` says.
    func convert(
        _ band: Range<Int>, _ info: ImageInfo, channels: Int, into target: borrowing SampleBuffer<UInt8>
    ) throws(ImagingError) -> Int {
        let rows =
            max(0, band.lowerBound - Self.margin)..<min(info.height, band.upperBound + Self.margin)
        precondition(rows.lowerBound % 2 == 0, "bands start at even rows, as colours do")
        precondition(
            rows.count * info.width * channels <= target.count, "the band fits into the buffer")
        var image = unsafe handle.pointee.image.pointee
        unsafe image.height = UInt32(rows.count)
        let isHalved = unsafe image.yuvFormat == AVIF_PIXEL_FORMAT_YUV420
        unsafe image.yuvPlanes.0 = image.yuvPlanes.0.map {
            unsafe $0 + rows.lowerBound * Int(image.yuvRowBytes.0)
        }
        let chroma = isHalved ? rows.lowerBound / 2 : rows.lowerBound
        unsafe image.yuvPlanes.1 = image.yuvPlanes.1.map {
            unsafe $0 + chroma * Int(image.yuvRowBytes.1)
        }
        unsafe image.yuvPlanes.2 = image.yuvPlanes.2.map {
            unsafe $0 + chroma * Int(image.yuvRowBytes.2)
        }
        unsafe image.alphaPlane = image.alphaPlane.map {
            unsafe $0 + rows.lowerBound * Int(image.alphaRowBytes)
        }
        var pixels = unsafe avifRGBImage()
        unsafe avifRGBImageSetDefaults(&pixels, &image)
        unsafe pixels.depth = 8
        unsafe pixels.format = channels == 4 ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB
        unsafe pixels.pixels = target.base
        unsafe pixels.rowBytes = UInt32(info.width * channels)
        try Self.check(unsafe avifImageYUVToRGB(&image, &pixels))
        return (band.lowerBound - rows.lowerBound) * info.width * channels
    }

    /// Returns the size of a buffer for a band of rows and its margins.
    static func bandBytes(_ rows: Int, width: Int, channels: Int) -> Int {
        (rows + 2 * margin) * width * channels
    }

    private static func check(_ result: avifResult) throws(ImagingError) {
        switch result {
        case AVIF_RESULT_OK: return
        case AVIF_RESULT_TRUNCATED_DATA: throw ImagingError(.truncated, "AVIF image data ends early")
        case AVIF_RESULT_OUT_OF_MEMORY: throw ImagingError(.decodeLimit, "no memory for an AVIF image")
        case AVIF_RESULT_NO_CODEC_AVAILABLE:
            throw ImagingError(.unsupported, "AVIF: libavif has no dav1d")
        case AVIF_RESULT_NOT_IMPLEMENTED, AVIF_RESULT_UNSUPPORTED_DEPTH:
            throw ImagingError(.unsupported, "AVIF feature")
        default:
            throw unsafe ImagingError(
                .corrupt, "invalid AVIF: \(String(cString: avifResultToString(result)))")
        }
    }
}
