// SPDX-License-Identifier: MIT

internal import CWebP

/// The owner of a picture that libwebp decodes into.
@safe struct WebPPicture: ~Copyable {
    private let config: UnsafeMutablePointer<WebPDecoderConfig>

    /// Makes room for a picture; without a size it comes in its own.
    init(hasAlpha: Bool, scaledTo size: (width: Int, height: Int)?) throws(ImagingError) {
        unsafe config = .allocate(capacity: 1)
        unsafe config.initialize(to: WebPDecoderConfig())
        guard unsafe WebPInitDecoderConfig(config) != 0 else { throw ImagingError(.internal, "libwebp's version") }
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

    /// Decodes a file, handing it over piece by piece so that the watch is looked at.
    func decode(_ file: [UInt8], _ watch: Watch) throws(ImagingError) {
        guard let decoder = unsafe WebPIDecode(nil, 0, config) else {
            throw ImagingError(.decodeLimit, "no memory for a WebP decoder")
        }
        defer { unsafe WebPIDelete(decoder) }
        let status = try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            var status = VP8_STATUS_SUSPENDED
            var end = 0
            while end < bytes.count, status == VP8_STATUS_SUSPENDED {
                try watch.check()
                end = min(bytes.count, end + 16384)
                status = unsafe WebPIUpdate(decoder, bytes.baseAddress, end)
            }
            return status
        }
        if let error = Self.error(status) { throw error }
    }

    /// The width, once decoded.
    var width: Int { unsafe Int(config.pointee.output.width) }
    /// The height, once decoded.
    var height: Int { unsafe Int(config.pointee.output.height) }

    /// Lends one decoded row.
    func withRow(_ row: Int, _ body: (Span<UInt8>) -> Void) {
        precondition(row < height, "the row lies within the picture")
        let rgba = unsafe config.pointee.output.u.RGBA
        let channels = unsafe config.pointee.output.colorspace == MODE_RGBA ? 4 : 3
        let start = unsafe rgba.rgba + row * Int(rgba.stride)
        unsafe body(UnsafeBufferPointer(start: start, count: width * channels).span)
    }

    private static func error(_ status: VP8StatusCode) -> ImagingError? {
        switch status {
        case VP8_STATUS_OK: nil
        // The container has all of its bytes by now; it is the picture within that wants more.
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: ImagingError(.truncated, "WebP picture cut short")
        case VP8_STATUS_UNSUPPORTED_FEATURE: ImagingError(.unsupported, "WebP feature")
        case VP8_STATUS_OUT_OF_MEMORY: ImagingError(.decodeLimit, "no memory for a WebP picture")
        default: ImagingError(.corrupt, "WebP picture broken")
        }
    }
}
