// SPDX-License-Identifier: MIT

internal import CSluice

/// Owns Sluice's own JPEG decoder, which reads usual files only and gives up on all others.
@safe struct FastJPEGReader: ~Copyable {
    /// An upper bound for the decoder's samples: two rows of MCUs, and two rows of enlarged chroma.
    static let bytesPerColumn = 64

    private let handle: OpaquePointer
    let shape: csluice_jpeg_shape

    /// Starts to decode at `eighths`/8 of the size; `nil` if the file is unusual, or if a progressive image needs more
    /// than `memory` bytes for its coefficients.
    init?(_ input: csluice_input, eighths: Int, memory: Int, scans: Int) {
        var shape = csluice_jpeg_shape()
        let scans = Int32(clamping: scans)
        guard let handle = unsafe csluice_jpeg_decoder_open(input, Int32(eighths), memory, scans, &shape) else {
            return nil
        }
        unsafe self.handle = handle
        self.shape = shape
    }

    deinit { unsafe csluice_jpeg_decoder_close(handle) }

    /// Decodes the scans of a progressive image; returns false to give up.
    func readScans(watchdog: DecodeWatchdog) throws(ImagingError) -> Bool {
        var state = unsafe csluice_jpeg_decoder_read_scans(handle)
        while state == csluice_jpeg_decoder_reading {
            try watchdog.check()
            state = unsafe csluice_jpeg_decoder_read_scans(handle)
        }
        return state == csluice_jpeg_decoder_ready
    }

    /// Decodes the next rows into the buffer, which must be large enough; returns fewer to give up.
    func readRows(_ count: Int, into rows: borrowing SampleBuffer<UInt8>) -> Int {
        Int(unsafe csluice_jpeg_decoder_read_rows(handle, rows.base, Int32(count)))
    }

    /// Returns whether the file ends properly after the last row; false to give up.
    func finish() -> Bool { unsafe csluice_jpeg_decoder_finish(handle) }
}

/// What Sluice's own decoder has delivered; the other decoder continues after that.
struct FastJPEGProgress {
    /// Whether the receiver knows the shape of the rows.
    var hasBegun = false
    var rows = 0
    var isComplete = false
}

extension JPEGDecoder {
    /// Decodes a usual file, or as many rows as it can; libjpeg-turbo makes the same rows.
    func decodeUsual(
        _ job: DecodeJob, eighths: Int, into receiver: some RowReceiving
    ) throws(ImagingError) -> FastJPEGProgress {
        guard !job.usesReference else { return FastJPEGProgress() }
        let scans = Self.maxScans(job.header.info, job.limits)
        return try unsafe job.input.withCInput { input throws(ImagingError) in
            let memory = Self.coefficientBytes(job.header)
            guard let reader = unsafe FastJPEGReader(input, eighths: eighths, memory: memory, scans: scans),
                try reader.readScans(watchdog: job.watchdog)
            else { return FastJPEGProgress() }
            return try decodeRows(reader, job, eighths, receiver)
        }
    }

    private func decodeRows(
        _ reader: borrowing FastJPEGReader, _ job: DecodeJob, _ eighths: Int, _ receiver: some RowReceiving
    ) throws(ImagingError) -> FastJPEGProgress {
        var progress = FastJPEGProgress()
        let shape = reader.shape
        try receiver.begin(Self.rowShape(shape, eighths: eighths, job.header.info))
        progress.hasBegun = true
        let (height, rowBytes) = (Int(shape.height), Int(shape.width) * Int(shape.channels))
        let rows = SampleBuffer<UInt8>(count: rowBytes * Self.rowsAtOnce, zero: 0)
        while progress.rows < height {
            try job.watchdog.check()
            let wanted = min(Self.rowsAtOnce, height - progress.rows)
            let count = reader.readRows(wanted, into: rows)
            Self.deliver(rows, 0..<count, rowBytes, to: receiver)
            progress.rows += count
            guard count == wanted else { return progress }
        }
        progress.isComplete = reader.finish()
        return progress
    }
}
