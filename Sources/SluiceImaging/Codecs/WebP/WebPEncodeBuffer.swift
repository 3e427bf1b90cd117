// SPDX-License-Identifier: MIT

internal import CWebP

/// Owns the image that libwebp encodes, and its output.
@safe struct WebPEncodeBuffer: ~Copyable {
    /// The number of parts for the pixels of a lossy file, as a power of two.
    enum Parts: Int32, CaseIterable {
        case one = 0
        case eight = 3
    }

    private let picture: UnsafeMutablePointer<WebPPicture>
    private let output: UnsafeMutablePointer<WebPMemoryWriter>

    init() throws(ImagingError) {
        unsafe picture = .allocate(capacity: 1)
        unsafe picture.initialize(to: WebPPicture())
        unsafe output = .allocate(capacity: 1)
        unsafe output.initialize(to: WebPMemoryWriter())
        unsafe WebPMemoryWriterInit(output)
        guard unsafe WebPPictureInit(picture) != 0 else {
            throw ImagingError(.internal, "libwebp has an incompatible version")
        }
        unsafe picture.pointee.writer = WebPMemoryWrite
        unsafe picture.pointee.custom_ptr = UnsafeMutableRawPointer(output)
    }

    deinit {
        unsafe WebPPictureFree(picture)
        unsafe WebPMemoryWriterClear(output)
        unsafe picture.deallocate()
        unsafe output.deallocate()
    }

    /// Encodes an RGB or RGBA image; returns `nil` if it exceeds the parts.
    ///
    /// Call this once.
    func encode(_ raster: Raster, _ settings: ImageEncoder, _ parts: Parts) throws(ImagingError) -> [UInt8]? {
        var config = try Self.config(settings)
        config.partitions = parts.rawValue
        let isEncoded = unsafe load(raster, asARGB: config.lossless != 0) && WebPEncode(&config, picture) != 0
        return try isEncoded ? bytes : checkError()
    }

    /// Passes an RGB or RGBA image to `body`; returns false if there is no memory for it, or if `body` does.
    func withPicture(_ raster: Raster, _ body: (UnsafeMutablePointer<WebPPicture>) -> Bool) -> Bool {
        load(raster, asARGB: true) ? unsafe body(picture) : false
    }

    static func config(_ settings: ImageEncoder) throws(ImagingError) -> WebPConfig {
        var config = WebPConfig()
        // libwebp's own lossless functions take a quality of 70, which is an effort there.
        let quality = settings.isLossless ? 70 : Float(settings.quality)
        guard unsafe WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, quality) != 0 else {
            throw ImagingError(.internal, "libwebp rejects the quality \(quality)")
        }
        config.lossless = settings.isLossless ? 1 : 0
        return config
    }

    private func load(_ raster: Raster, asARGB: Bool) -> Bool {
        unsafe picture.pointee.use_argb = asARGB ? 1 : 0
        unsafe picture.pointee.width = Int32(raster.width)
        unsafe picture.pointee.height = Int32(raster.height)
        let stride = Int32(raster.width * raster.layout.channels)
        return
            unsafe (raster.layout == .rgba
            ? WebPPictureImportRGBA(picture, raster.bytes, stride)
            : WebPPictureImportRGB(picture, raster.bytes, stride)) != 0
    }

    private var bytes: [UInt8] {
        unsafe [UInt8](UnsafeBufferPointer(start: output.pointee.mem, count: output.pointee.size))
    }

    /// Throws libwebp's error, or returns `nil` if the parts are too small.
    private func checkError() throws(ImagingError) -> [UInt8]? {
        let code = unsafe picture.pointee.error_code
        switch code {
        case VP8_ENC_ERROR_PARTITION0_OVERFLOW, VP8_ENC_ERROR_PARTITION_OVERFLOW, VP8_ENC_ERROR_FILE_TOO_BIG:
            return nil
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY, VP8_ENC_ERROR_BAD_WRITE:
            throw ImagingError(.decodeLimit, "no memory for the WebP encoder")
        default: throw ImagingError(.internal, "webp encoder failed (\(code.rawValue))")
        }
    }
}
