// SPDX-License-Identifier: MIT

internal import CSluice

/// The owner of a libjpeg decoder.
@safe struct JPEGReader: ~Copyable {
    private let handle: OpaquePointer

    init(_ input: csluice_input, memory: Int) throws(ImagingError) {
        guard let handle = unsafe csluice_jpeg_open(input, memory) else {
            throw ImagingError(.decodeLimit, "no memory for a JPEG decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe csluice_jpeg_close(handle) }

    /// Takes a file that ends early for one whose picture does; ``finish()`` tells all the same.
    func salvage() { unsafe csluice_jpeg_salvage(handle) }

    /// Reads the file as if it had not those bytes; must come before ``start(eighths:)``, and in the file's order.
    func leaveOut(_ range: Range<Int>) { unsafe csluice_jpeg_leave_out(handle, range.lowerBound, range.upperBound) }

    /// Reads the header and starts at `eighths`/8 of the size.
    func start(eighths: Int) throws(ImagingError) -> csluice_jpeg_shape {
        var shape = csluice_jpeg_shape()
        try check(unsafe csluice_jpeg_start(handle, Int32(eighths), &shape))
        return shape
    }

    /// Takes in a piece of a picture with several scans; `nil` at its end, else the number of the scan it belongs to.
    func absorb() throws(ImagingError) -> Int? {
        var scan: Int32 = 0
        var isDone = false
        try check(unsafe csluice_jpeg_absorb(handle, &scan, &isDone))
        return isDone ? nil : Int(scan)
    }

    /// Makes rows of what was taken in.
    func startRows() throws(ImagingError) {
        try check(unsafe csluice_jpeg_start_rows(handle))
    }

    /// Decodes the next rows; the buffer has room for them.
    func readRows(_ count: Int, into rows: borrowing SampleBuffer<UInt8>) throws(ImagingError) {
        try check(unsafe csluice_jpeg_read_rows(handle, rows.base, Int32(count)))
    }

    /// Reads on to the end marker.
    func finish() throws(ImagingError) {
        try check(unsafe csluice_jpeg_finish(handle))
        if unsafe csluice_jpeg_damage(handle) > 0 { throw ImagingError(.corrupt, message) }
    }

    /// What was odd, but did no harm.
    var notes: [String] {
        unsafe csluice_jpeg_oddities(handle) > 0 ? [message] : []
    }

    private var message: String { unsafe String(cString: csluice_jpeg_message(handle)) }

    private func check(_ verdict: CodecVerdict) throws(ImagingError) {
        if let error = ImagingError(verdict: verdict, message) { throw error }
    }
}
