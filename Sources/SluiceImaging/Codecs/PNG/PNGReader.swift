// SPDX-License-Identifier: MIT

internal import CSluice

@safe struct PNGReader: ~Copyable {
    let handle: OpaquePointer

    init(_ input: csluice_input) throws(ImagingError) {
        guard let handle = unsafe csluice_png_open(input) else {
            throw ImagingError(.decodeLimit, "no memory for a PNG decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe csluice_png_close(handle) }

    /// Creates a truncated file yield rows from nearly all of its bytes.
    func allowTruncation() throws(ImagingError) { try check(unsafe csluice_png_allow_truncation(handle)) }

    /// Reads the file up to the pixels.
    func start() throws(ImagingError) -> csluice_png_shape {
        var shape = csluice_png_shape()
        try check(unsafe csluice_png_start(handle, &shape))
        return shape
    }

    /// A copy of the embedded colour profile, if the file has one.
    var profile: [UInt8]? {
        var count = 0
        guard let bytes = unsafe csluice_png_profile(handle, &count) else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Decodes a row of the current pass into `rows`, starting at `offset`.
    func readRow(into rows: borrowing SampleBuffer<UInt8>, at offset: Int = 0) throws(ImagingError) {
        try check(unsafe csluice_png_read_row(handle, rows.base + offset))
    }

    /// Reads up to the end chunk.
    func finish() throws(ImagingError) {
        try check(unsafe csluice_png_finish(handle))
    }

    var notes: [String] {
        // Sluice reads this chunk itself, and newer versions of libpng warn of it, too.
        message.isEmpty || message.contains("cICP") ? [] : [message]
    }

    private var message: String { unsafe String(cString: csluice_png_message(handle)) }

    private func check(_ verdict: CodecStatus) throws(ImagingError) {
        if let error = ImagingError(status: verdict, message) { throw error }
    }
}
