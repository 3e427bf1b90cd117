// SPDX-License-Identifier: MIT

internal import CWebP

/// The owner of a picture that libwebp decodes into.
@safe struct WebPPicture: ~Copyable {
    /// About as many pixels as may come of a piece of the file before the watch is looked at again.
    private static let pixelsInPiece = 1 << 18

    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    /// How many rows there are, from the top; all of them once a whole picture is decoded.
    private(set) var rows = 0

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

    /// Decodes a file, handing it over piece by piece so that the watch is looked at: small pieces of a small file that
    /// claims much.
    mutating func decode(_ file: [UInt8], of info: ImageInfo, _ watch: Watch) throws(ImagingError) {
        let pieces = info.width * info.height / Self.pixelsInPiece
        let piece = max(1, min(16384, file.count / max(1, pieces)))
        guard let decoder = unsafe WebPIDecode(nil, 0, config) else {
            throw ImagingError(.decodeLimit, "no memory for a WebP decoder")
        }
        defer { unsafe WebPIDelete(decoder) }
        let status = try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            var status = VP8_STATUS_SUSPENDED
            var end = 0
            while end < bytes.count, status == VP8_STATUS_SUSPENDED {
                try watch.check()
                end = min(bytes.count, end + piece)
                status = unsafe WebPIUpdate(decoder, bytes.baseAddress, end)
            }
            return status
        }
        var rows: Int32 = 0
        if unsafe WebPIDecGetRGB(decoder, &rows, nil, nil, nil) != nil { self.rows = Int(rows) }
        if let error = Self.error(status) { throw error }
    }

    /// The width, once decoded.
    var width: Int { unsafe Int(config.pointee.output.width) }
    /// The height, once decoded.
    var height: Int { unsafe Int(config.pointee.output.height) }

    /// Lends one decoded row.
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
        // The container has all of its bytes by now; it is the picture within that wants more.
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: ImagingError(.truncated, "WebP picture cut short")
        case VP8_STATUS_UNSUPPORTED_FEATURE: ImagingError(.unsupported, "WebP feature")
        case VP8_STATUS_OUT_OF_MEMORY: ImagingError(.decodeLimit, "no memory for a WebP picture")
        default: ImagingError(.corrupt, "WebP picture broken")
        }
    }
}
