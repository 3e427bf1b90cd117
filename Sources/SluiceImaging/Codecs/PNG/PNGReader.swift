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

/// Owns Sluice's own PNG decoder, which reads usual files only and gives up on all others.
@safe struct FastPNGReader: ~Copyable {
    private let handle: OpaquePointer

    /// Continues a reader that was started and must live longer; `nil` if the file is unusual.
    init?(_ reader: borrowing PNGReader) {
        guard let handle = unsafe csluice_png_decoder_open(reader.handle) else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe csluice_png_decoder_close(handle) }

    /// Decodes the next row into the buffer, which must be large enough; returns false to give up.
    ///
    /// It reads the last row only if all of the file is without damage.
    func readRow(into row: borrowing SampleBuffer<UInt8>) -> Bool {
        unsafe csluice_png_decoder_read_row(handle, row.base)
    }
}

/// The rows that Sluice's own decoder has delivered; libpng continues after that.
struct FastPNGProgress {
    /// Whether the reader can only be used by starting over.
    var hasStarted = false
    var rows = 0
    var isComplete = false
}

extension PNGDecoder {
    /// Decodes a usual file, or as many rows as it can; libpng makes the same rows.
    func decodeUsual(
        _ reader: borrowing PNGReader, _ shape: RowShape, _ job: DecodeJob, into receiver: some RowReceiving
    ) throws(ImagingError) -> FastPNGProgress {
        var progress = FastPNGProgress()
        // Only libpng yields rows of damaged files.
        guard !job.usesReference, !job.salvages, let fast = FastPNGReader(reader) else { return progress }
        progress.hasStarted = true
        let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
        while progress.rows < shape.height {
            try job.watchdog.check(row: progress.rows)
            guard fast.readRow(into: row) else { return progress }
            row.withSpan(0..<row.count) { receiver.receive($0) }
            progress.rows += 1
        }
        progress.isComplete = true
        return progress
    }
}
