// SPDX-License-Identifier: MIT

internal import CSluice

/// Owns Sluice's own JPEG decoder, which reads usual files only and gives up on all others.
@safe struct FastJPEGReader: ~Copyable {
    /// An upper bound for the decoder's samples: two rows of MCUs, and two rows of enlarged chroma.
    static let bytesPerColumn = 64

    private let handle: OpaquePointer
    let shape: csluice_jpeg_shape

    /// Starts to decode at `eighths`/8 of the size, without the scans in the skipped ranges.
    ///
    /// The result is `nil` if the file is unusual, or if a progressive image needs more than `memory` bytes for its
    /// coefficients.
    init?(_ input: csluice_input, eighths: Int, memory: Int, scans: Int, skipping skipped: [Range<Int>] = []) {
        var shape = csluice_jpeg_shape()
        let ranges = skipped.map { csluice_range(start: $0.lowerBound, end: $0.upperBound) }
        let (scans, count) = (Int32(clamping: scans), Int32(clamping: ranges.count))
        guard
            let handle = unsafe csluice_jpeg_decoder_open(
                input, Int32(eighths), memory, scans, ranges, count, &shape)
        else { return nil }
        unsafe self.handle = handle
        self.shape = shape
    }

    deinit { unsafe csluice_jpeg_decoder_close(handle) }

    /// The memory in bytes for the coefficients of a progressive image whose components have these sampling factors.
    static func coefficientBytes(width: Int, height: Int, _ components: [(across: Int, down: Int)]) -> Int {
        // The factors of a single component have no effect.
        let components = components.count == 1 ? [(across: 1, down: 1)] : components
        let across = 8 * max(1, components.map(\.across).max() ?? 1)
        let down = 8 * max(1, components.map(\.down).max() ?? 1)
        let mcus = (across: Int32((width + across - 1) / across), down: Int32((height + down - 1) / down))
        return components.reduce(0) { sum, component in
            sum
                + csluice_jpeg_decoder_component_bytes(
                    mcus.across, mcus.down, Int32(component.across), Int32(component.down))
        }
    }

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

    /// Prepares for strips that another reader of the same file decodes; call before the first row.
    ///
    /// The result is the number of MCU rows in a strip and in the image; `nil` unless restart markers are frequent.
    func beginStrips(pixels: Int) -> (mcuRows: Int, total: Int)? {
        var total: Int32 = 0
        let mcuRows = unsafe csluice_jpeg_decoder_begin_strips(handle, pixels, &total)
        return mcuRows > 0 ? (Int(mcuRows), Int(total)) : nil
    }

    /// The position in the file.
    var position: csluice_jpeg_position { unsafe csluice_jpeg_decoder_position(handle) }

    /// Decodes a strip of MCU rows for another reader, from that one's earlier position on; returns false to give up.
    func readStrip(
        _ rows: Range<Int>, for target: borrowing FastJPEGReader, from position: csluice_jpeg_position
    ) -> Bool {
        unsafe csluice_jpeg_decoder_read_strip(
            handle, target.handle, position, Int32(rows.lowerBound), Int32(rows.count))
    }

    /// Continues after a strip that another reader has decoded; returns false to give up.
    func addStrip(_ rows: Range<Int>) -> Bool { unsafe csluice_jpeg_decoder_add_strip(handle, Int32(rows.count)) }

    /// The number of rows that can be read after this number of MCU rows.
    func readyRows(mcuRows: Int) -> Int { Int(unsafe csluice_jpeg_decoder_ready_rows(handle, Int32(mcuRows))) }

    /// Returns whether the file ends properly after the last row; false to give up.
    func finish() -> Bool { unsafe csluice_jpeg_decoder_finish(handle) }
}

/// The rows that Sluice's own decoder has delivered; the other decoder continues after that.
struct FastJPEGProgress {
    /// Whether the receiver knows the shape of the rows.
    var hasBegun = false
    var rows = 0
    var isComplete = false
}

extension JPEGDecoder {
    /// Decodes a usual file without the scans in the skipped ranges, or as many rows as it can; libjpeg-turbo makes the
    /// same rows.
    func decodeUsual(
        _ job: DecodeJob, eighths: Int, skipping skipped: [Range<Int>] = [], into receiver: some RowReceiving
    ) throws(ImagingError) -> FastJPEGProgress {
        // The limit applies to all scans of the file.
        let scans = Self.maxScans(job.header.info, job.limits) - skipped.count
        guard !job.usesReference, scans > 0 else { return FastJPEGProgress() }
        return try unsafe job.input.withCInput { input throws(ImagingError) in
            let memory = job.header.wholeImageBytes + job.header.ownDecoderBytes
            guard
                let reader = unsafe FastJPEGReader(
                    input, eighths: eighths, memory: memory, scans: scans, skipping: skipped),
                try reader.readScans(watchdog: job.watchdog)
            else { return FastJPEGProgress() }
            let rows = JPEGRows(of: reader, job) {
                unsafe FastJPEGReader(input, eighths: eighths, memory: 0, scans: 1)
            }
            defer { rows.stop() }
            return try decodeRows(rows, job, eighths, receiver)
        }
    }

    private func decodeRows(
        _ reader: JPEGRows, _ job: DecodeJob, _ eighths: Int, _ receiver: some RowReceiving
    ) throws(ImagingError) -> FastJPEGProgress {
        var progress = FastJPEGProgress()
        let shape = reader.shape
        try receiver.begin(Self.rowShape(shape, eighths: eighths, job.header.info))
        progress.hasBegun = true
        let (height, rowBytes) = (Int(shape.height), Int(shape.width) * Int(shape.channels))
        let rows = SampleBuffer<UInt8>(count: rowBytes * Self.rowsAtOnce, zero: 0)
        while progress.rows < height {
            try job.watchdog.check()
            guard let end = reader.readableRows(after: progress.rows) else { return progress }
            let wanted = min(Self.rowsAtOnce, end - progress.rows)
            let count = reader.readRows(wanted, into: rows)
            Self.deliver(rows, 0..<count, rowBytes, to: receiver)
            progress.rows += count
            guard count == wanted else { return progress }
        }
        progress.isComplete = reader.finish()
        return progress
    }
}
