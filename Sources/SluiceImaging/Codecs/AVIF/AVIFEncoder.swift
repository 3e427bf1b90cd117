// SPDX-License-Identifier: MIT

internal import CAVIF

/// Encodes AVIF with libavif and libaom.
struct AVIFEncoder: ImageEncoding {
    let capabilities = EncoderCapabilities(
        maxSide: 16384, keepsAlpha: true, keepsGrey: true, hasQuality: true, smallSubsamplings: [.full],
        canBeLossless: true)

    func encode(_ raster: Raster, _ settings: ImageEncoder) throws(ImagingError) -> [UInt8] {
        // Readers of AVIF ignore EXIF's orientation.
        let upright = raster.upright(from: settings.orientation)
        let image = try AVIFPicture(for: upright, settings)
        try image.add(upright)
        if !settings.metadata.profile.isEmpty { try image.add(profile: settings.metadata.profile) }
        if !settings.metadata.exif.isEmpty, settings.orientation == 1 { try image.add(exif: settings.metadata.exif) }
        return try AVIFWriter(settings).write(image)
    }
}

/// Owns the planes and metadata of a picture that libavif encodes.
@safe struct AVIFPicture: ~Copyable {
    fileprivate let handle: UnsafeMutablePointer<avifImage>

    /// Creates a picture without pixels; lossless files keep RGB.
    init(for raster: Raster, _ settings: ImageEncoder) throws(ImagingError) {
        try AVIFLibrary.load()
        let isGrey = raster.layout == .grey || raster.layout == .greyAlpha
        let format = settings.isLossless ? AVIF_PIXEL_FORMAT_YUV444 : settings.subsampling.pixelFormat
        guard
            let handle = unsafe avifImageCreate(
                UInt32(raster.width), UInt32(raster.height), 8, isGrey ? AVIF_PIXEL_FORMAT_YUV400 : format)
        else { throw AVIFWriter.noMemory }
        let keepsRGB = settings.isLossless && !isGrey
        let matrix = keepsRGB ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601
        unsafe handle.pointee.colorPrimaries = avifColorPrimaries(AVIF_COLOR_PRIMARIES_BT709)
        unsafe handle.pointee.transferCharacteristics = avifTransferCharacteristics(
            AVIF_TRANSFER_CHARACTERISTICS_SRGB)
        unsafe handle.pointee.matrixCoefficients = avifMatrixCoefficients(matrix)
        unsafe self.handle = handle
    }

    deinit { unsafe avifImageDestroy(handle) }

    /// Converts pixels to the picture's planes.
    func add(_ raster: Raster) throws(ImagingError) {
        var pixels = raster.expanded(to: raster.layout.hasAlpha ? .rgba : .rgb)
        let channels = pixels.layout.channels
        let result = unsafe pixels.bytes.withUnsafeMutableBufferPointer { bytes in
            var source = unsafe avifRGBImage()
            unsafe avifRGBImageSetDefaults(&source, handle)
            unsafe source.depth = 8
            unsafe source.format = channels == 4 ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB
            unsafe source.pixels = bytes.baseAddress
            unsafe source.rowBytes = UInt32(raster.width * channels)
            return unsafe avifImageRGBToYUV(handle, &source)
        }
        try AVIFWriter.check(result)
    }

    /// Adds a colour profile, which wins over the picture's code points.
    func add(profile: [UInt8]) throws(ImagingError) {
        unsafe profile.withUnsafeBufferPointer { bytes in
            _ = unsafe avifImageSetProfileICC(handle, bytes.baseAddress, bytes.count)
        }
        guard unsafe handle.pointee.icc.size == profile.count else { throw AVIFWriter.noMemory }
    }

    /// Adds an EXIF block, which starts with the TIFF header.
    func add(exif: [UInt8]) throws(ImagingError) {
        unsafe exif.withUnsafeBufferPointer { bytes in
            _ = unsafe avifImageSetMetadataExif(handle, bytes.baseAddress, bytes.count)
        }
        guard unsafe handle.pointee.exif.size == exif.count else { throw AVIFWriter.noMemory }
    }
}

/// Owns a libavif encoder, which encodes with libaom in the calling thread.
@safe struct AVIFWriter: ~Copyable {
    private let handle: UnsafeMutablePointer<avifEncoder>

    init(_ settings: ImageEncoder) throws(ImagingError) {
        guard let handle = unsafe avifEncoderCreate() else { throw Self.noMemory }
        unsafe self.handle = handle
        unsafe handle.pointee.codecChoice = AVIF_CODEC_CHOICE_AOM
        unsafe handle.pointee.maxThreads = 1
        unsafe handle.pointee.speed = Int32(settings.speed)
        let quantizer = settings.isLossless ? 0 : AVIFQuality.quantizer(forQuality: settings.quality)
        unsafe handle.pointee.minQuantizer = quantizer
        unsafe handle.pointee.maxQuantizer = quantizer
        unsafe handle.pointee.minQuantizerAlpha = quantizer
        unsafe handle.pointee.maxQuantizerAlpha = quantizer
    }

    deinit { unsafe avifEncoderDestroy(handle) }

    func write(_ image: borrowing AVIFPicture) throws(ImagingError) -> [UInt8] {
        var output = unsafe avifRWData()
        defer { unsafe avifRWDataFree(&output) }
        try Self.check(unsafe avifEncoderWrite(handle, image.handle, &output))
        return unsafe [UInt8](UnsafeBufferPointer(start: output.data, count: output.size))
    }

    fileprivate static var noMemory: ImagingError { ImagingError(.decodeLimit, "no memory for the AVIF encoder") }

    fileprivate static func check(_ result: avifResult) throws(ImagingError) {
        switch result {
        case AVIF_RESULT_OK: return
        case AVIF_RESULT_OUT_OF_MEMORY: throw noMemory
        case AVIF_RESULT_NO_CODEC_AVAILABLE:
            throw ImagingError(.unsupported, "cannot write AVIF: libavif has no libaom")
        default:
            throw unsafe ImagingError(.internal, "avif encoder failed (\(String(cString: avifResultToString(result))))")
        }
    }
}

extension ThumbnailOptions.Subsampling {
    fileprivate var pixelFormat: avifPixelFormat {
        switch self {
        case .half: AVIF_PIXEL_FORMAT_YUV420
        case .columns: AVIF_PIXEL_FORMAT_YUV422
        case .full: AVIF_PIXEL_FORMAT_YUV444
        }
    }
}

/// Translates qualities of JPEGs to quantizers of AV1, so that a quality means the same to the eye in both formats.
enum AVIFQuality {
    /// Qualities with the quantizers of the same mean SSIMULACRA 2 score, for 40 photographs that are 300 pixels high.
    ///
    /// Below 256 pixels, that score uses weights of other sizes and means something else.
    private static let measured: [(quality: Int, quantizer: Int)] = [
        (1, 63), (5, 61), (10, 55), (20, 47), (30, 41), (40, 37), (50, 34), (60, 31), (70, 27), (75, 25), (80, 22),
        (85, 16), (90, 11), (95, 5), (100, 0),
    ]

    /// Returns the quantizer for a quality from 1 to 100: 63 is the coarsest, 0 lossless.
    static func quantizer(forQuality quality: Int) -> Int32 {
        guard let above = measured.firstIndex(where: { $0.quality >= quality }), above > 0 else {
            return quality <= 1 ? 63 : 0
        }
        let (low, high) = (measured[above - 1], measured[above])
        let part = (quality - low.quality) * (low.quantizer - high.quantizer) / (high.quality - low.quality)
        return Int32(low.quantizer - part)
    }
}
