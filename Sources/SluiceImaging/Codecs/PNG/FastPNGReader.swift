// SPDX-License-Identifier: MIT

internal import CSluice

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
