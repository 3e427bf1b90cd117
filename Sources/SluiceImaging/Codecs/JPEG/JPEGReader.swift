// SPDX-License-Identifier: MIT

internal import CSluice

@safe struct JPEGReader: ~Copyable {
    private let handle: OpaquePointer

    init(_ input: csluice_input, memory: Int) throws(ImagingError) {
        guard let handle = unsafe csluice_jpeg_open(input, memory) else {
            throw ImagingError(.decodeLimit, "no memory for a JPEG decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe csluice_jpeg_close(handle) }

    /// Treats an early end of the file as the end of the image; ``finish()`` still reports it.
    func allowTruncation() { unsafe csluice_jpeg_allow_truncation(handle) }

    /// Skips a byte range of the file; call in ascending order and before ``start(eighths:)``.
    func skip(_ range: Range<Int>) { unsafe csluice_jpeg_skip_range(handle, range.lowerBound, range.upperBound) }

    /// Reads the header and starts to decode at `eighths`/8 of the size.
    func start(eighths: Int) throws(ImagingError) -> csluice_jpeg_shape {
        var shape = csluice_jpeg_shape()
        try check(unsafe csluice_jpeg_start(handle, Int32(eighths), &shape))
        return shape
    }

    /// Reads a piece of a multi-scan image; returns the number of the current scan, or `nil` at the end.
    func consumeInput() throws(ImagingError) -> Int? {
        var scan: Int32 = 0
        var isDone = false
        try check(unsafe csluice_jpeg_consume(handle, &scan, &isDone))
        return isDone ? nil : Int(scan)
    }

    /// Starts row output after all scans are consumed.
    func startRows() throws(ImagingError) {
        try check(unsafe csluice_jpeg_start_rows(handle))
    }

    /// Decodes the next rows into the buffer, which must be large enough.
    func readRows(_ count: Int, into rows: borrowing SampleBuffer<UInt8>) throws(ImagingError) {
        try check(unsafe csluice_jpeg_read_rows(handle, rows.base, Int32(count)))
    }

    /// Reads up to the end marker.
    func finish() throws(ImagingError) {
        try check(unsafe csluice_jpeg_finish(handle))
        if unsafe csluice_jpeg_damage_count(handle) > 0 { throw ImagingError(.corrupt, message) }
    }

    var notes: [String] {
        unsafe csluice_jpeg_harmless_count(handle) > 0 ? [message] : []
    }

    private var message: String { unsafe String(cString: csluice_jpeg_message(handle)) }

    private func check(_ verdict: CodecStatus) throws(ImagingError) {
        if let error = ImagingError(status: verdict, message) { throw error }
    }
}
