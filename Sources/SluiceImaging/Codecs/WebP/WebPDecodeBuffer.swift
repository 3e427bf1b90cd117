// SPDX-License-Identifier: MIT

internal import CWebP

/// Owns the buffer that libwebp decodes an image into.
@safe struct WebPDecodeBuffer: ~Copyable {
    /// The approximate number of pixels to decode between two checks of the watchdog.
    private static let pixelsPerPiece = 1 << 18

    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    /// The number of decoded rows from the top; all of them after a complete decode.
    private(set) var rows = 0

    /// Prepares a buffer; without a size, the image is decoded at its own size.
    init(hasAlpha: Bool, scaledTo size: (width: Int, height: Int)?) throws(ImagingError) {
        unsafe config = .allocate(capacity: 1)
        unsafe config.initialize(to: WebPDecoderConfig())
        guard unsafe WebPInitDecoderConfig(config) != 0 else {
            throw ImagingError(.internal, "libwebp has an incompatible version")
        }
        unsafe config.pointee.output.colorspace = hasAlpha ? MODE_RGBA : MODE_RGB
        if let size {
            unsafe config.pointee.options.use_scaling = 1
            unsafe config.pointee.options.scaled_width = Int32(size.width)
            unsafe config.pointee.options.scaled_height = Int32(size.height)
        }
    }

    deinit {
        unsafe WebPFreeDecBuffer(&config.pointee.output)
        unsafe config.deallocate()
    }

    /// Decodes a file piece by piece and checks the watchdog between pieces.
    ///
    /// Pieces are small if a small file declares many pixels.
    mutating func decode(_ file: [UInt8], of info: ImageInfo, _ watchdog: DecodeWatchdog) throws(ImagingError) {
        let pieces = info.width * info.height / Self.pixelsPerPiece
        let piece = max(1, min(16384, file.count / max(1, pieces)))
        guard let decoder = unsafe WebPIDecode(nil, 0, config) else {
            throw ImagingError(.decodeLimit, "no memory for a WebP decoder")
        }
        defer { unsafe WebPIDelete(decoder) }
        let status = try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            var status = VP8_STATUS_SUSPENDED
            var end = 0
            while end < bytes.count, status == VP8_STATUS_SUSPENDED {
                try watchdog.check()
                end = min(bytes.count, end + piece)
                status = unsafe WebPIUpdate(decoder, bytes.baseAddress, end)
            }
            return status
        }
        var rows: Int32 = 0
        if unsafe WebPIDecGetRGB(decoder, &rows, nil, nil, nil) != nil { self.rows = Int(rows) }
        if let error = Self.error(status) { throw error }
    }

    /// The width in pixels; valid after decoding.
    var width: Int { unsafe Int(config.pointee.output.width) }
    /// The height in pixels; valid after decoding.
    var height: Int { unsafe Int(config.pointee.output.height) }

    /// Passes one decoded row to `body`.
    func withRow(_ row: Int, _ body: (Span<UInt8>) -> Void) {
        precondition(row < rows, "the row is decoded")
        let rgba = unsafe config.pointee.output.u.RGBA
        let channels = unsafe config.pointee.output.colorspace == MODE_RGBA ? 4 : 3
        let start = unsafe rgba.rgba + row * Int(rgba.stride)
        unsafe body(UnsafeBufferPointer(start: start, count: width * channels).span)
    }

    private static func error(_ status: VP8StatusCode) -> ImagingError? {
        switch status {
        case VP8_STATUS_OK: nil
        // The container is complete at this point, so it is the image data inside it that is too short.
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: ImagingError(.truncated, "WebP image data ends early")
        case VP8_STATUS_UNSUPPORTED_FEATURE: ImagingError(.unsupported, "WebP feature")
        case VP8_STATUS_OUT_OF_MEMORY: ImagingError(.decodeLimit, "no memory for a WebP image")
        default: ImagingError(.corrupt, "invalid WebP image data")
        }
    }
}
