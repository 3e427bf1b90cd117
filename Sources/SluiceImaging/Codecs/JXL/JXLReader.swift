// SPDX-License-Identifier: MIT

internal import CSluice

/// Owns a decoder of libjxl, which decodes one picture in the calling thread.
@safe struct JXLReader: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file, whose bytes must stay in place.
    init(_ file: UnsafeBufferPointer<UInt8>) throws(ImagingError) {
        guard let start = file.baseAddress else { throw ImagingError(.truncated, "0 bytes") }
        guard let handle = unsafe csluice_jxl_open(start, file.count) else {
            guard csluice_jxl_version() != 0 else {
                throw ImagingError(
                    .unsupported, "JPEG XL needs a sandboxed process with libjxl (Debian package \(Codec.jxlPackage))"
                ).of(.jxl)
            }
            throw ImagingError(.decodeLimit, "no memory for a JPEG XL decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe csluice_jxl_close(handle) }

    /// Returns the profile of the decoded samples; `nil` if there is none, or if it is too large.
    func profile() throws(ImagingError) -> [UInt8]? {
        var count = 0
        try check(unsafe csluice_jxl_find_profile(handle, &count))
        guard count > 0, count <= ImageHeader.maxProfileBytes else { return nil }
        var profile = [UInt8](repeating: 0, count: count)
        let status = unsafe profile.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return CodecStatus.corrupt }
            return unsafe csluice_jxl_copy_profile(handle, start, bytes.count)
        }
        try check(status)
        return profile
    }

    /// Decodes the picture, whose rows must have a shape.
    func decode(_ shape: RowShape, into pixels: borrowing SampleBuffer<UInt8>) throws(ImagingError) {
        guard let width = UInt32(exactly: shape.width), let height = UInt32(exactly: shape.height) else {
            throw ImagingError(.corrupt, "\(shape.width)x\(shape.height) pixels")
        }
        let wanted = csluice_jxl_shape(
            width: width, height: height, channels: UInt32(shape.layout.channels), depth: UInt32(shape.depth))
        try check(unsafe csluice_jxl_decode(handle, wanted, pixels.base))
    }

    private func check(_ status: CodecStatus) throws(ImagingError) {
        let reason = status == .truncated ? "the codestream ends early" : "the picture is damaged"
        if let error = ImagingError(status: status, "JPEG XL: \(reason)") { throw error }
    }
}
