// SPDX-License-Identifier: MIT

internal import CSluice

/// Owns a decoder of libde265, which decodes one picture in the calling thread.
@safe struct HEVCDecoder: ~Copyable {
    private let handle: OpaquePointer

    init() throws(ImagingError) {
        guard let handle = unsafe csluice_hevc_open() else {
            guard unsafe csluice_hevc_version() != nil else {
                throw ImagingError(
                    .unsupported, "HEIC needs a sandboxed process with libde265 (Debian package libde265-0)"
                ).of(.heic)
            }
            throw ImagingError(.decodeLimit, "no memory for an HEVC decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe csluice_hevc_close(handle) }

    /// Passes parameter sets, and then the data of the picture, which is a list of NAL units with their lengths.
    ///
    /// Other units, for example further parameter sets of another size, never reach the library.
    func push(_ configuration: HEVCConfiguration, _ data: [UInt8]) throws(ImagingError) {
        for set in configuration.sets { try push(set.span) }
        var offset = 0
        while offset < data.count {
            guard data.count - offset > configuration.lengthBytes else { throw ImagingError(.corrupt, "HEVC data") }
            let length = data[offset..<offset + configuration.lengthBytes].number(bigEndian: true)
            offset += configuration.lengthBytes
            guard Int(length) <= data.count - offset else { throw ImagingError(.corrupt, "HEVC data ends early") }
            if length > 0, HEVCUnitKind(data[offset]).isIntraPicture {
                try push(data.span.extracting(offset..<offset + Int(length)))
            }
            offset += Int(length)
        }
    }

    private func push(_ unit: Span<UInt8>) throws(ImagingError) {
        let status = unsafe unit.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return CodecStatus.corrupt }
            return unsafe csluice_hevc_push(handle, start, bytes.count)
        }
        try check(status)
    }

    /// Decodes the picture, which is valid as long as this decoder.
    func decode() throws(ImagingError) -> csluice_hevc_picture {
        var picture = csluice_hevc_picture()
        try check(unsafe csluice_hevc_decode(handle, &picture))
        return picture
    }

    private func check(_ status: CodecStatus) throws(ImagingError) {
        let message = unsafe String(cString: csluice_hevc_message(handle))
        if let error = ImagingError(status: status, "HEVC: \(message)") { throw error }
    }
}
