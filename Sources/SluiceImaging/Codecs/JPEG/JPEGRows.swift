// SPDX-License-Identifier: MIT

internal import CSluice
internal import Dispatch

/// Reads the rows of a JPEG with Sluice's own decoder, on two threads if a core is idle and the file allows it.
///
/// Large baseline images with frequent restart markers allow it: a second reader decodes every other strip of MCU rows
/// ahead of the first one. The first reader decodes all strips for which there is no idle core.
final class JPEGRows: @unchecked Sendable {
    // Sendable because the second thread has `second`, `isSure` and the strip's rows in `first` to itself, from its
    // start until it signals `end`.

    /// More than the second reader and its buffers take, without the strips.
    private static let readerBytes = 1 << 19

    private let first: FastJPEGReader
    private var second: FastJPEGReader?
    private let makeSecond: () -> FastJPEGReader?
    private let spareThread: SpareThread?
    /// The number of MCU rows in a strip and in the image; `nil` for a decode on one thread.
    private let strips: (mcuRows: Int, total: Int)?
    /// The strip that the second thread decodes.
    private var strip: Range<Int>?
    private var isSure = false
    private let end = DispatchSemaphore(value: 0)
    /// The numbers of rows and of MCU rows that the first reader can reach before the next strip is due.
    private var reach = (rows: 0, mcuRows: 0)

    /// Estimates the memory in bytes of the second thread for an image that is decoded to `size`; 0 if it is not used.
    static func memory(for header: ImageHeader, size: (width: Int, height: Int)) -> Int {
        let info = header.info
        let mayHaveStrips = (1...(info.width + 7) / 8).contains(header.restartInterval) && !info.isProgressive
        guard mayHaveStrips, info.width * info.height >= SpareThread.minPixels else { return 0 }
        // Three strips and a row of MCUs, which has at most 16 rows of pixels, and is stored in whole batches of MCUs.
        let rows = 3 * max(SpareThread.partPixels / info.width, 16) + 16
        return readerBytes + 3 * (size.width + 256) * (rows * size.height / info.height + 1)
    }

    /// Reads with a reader that has no rows yet; `makeSecond` opens the same file again.
    init(of reader: consuming FastJPEGReader, _ job: DecodeJob, _ makeSecond: @escaping () -> FastJPEGReader?) {
        let info = job.header.info
        spareThread = job.spareThread.flatMap { info.width * info.height >= $0.minPixels ? $0 : nil }
        strips = spareThread.flatMap { reader.beginStrips(pixels: $0.partPixels) }
        first = reader
        self.makeSecond = makeSecond
    }

    var shape: csluice_jpeg_shape { first.shape }

    /// Returns up to which row the next rows can be read, after `row` rows; `nil` to give up.
    func readableRows(after row: Int) -> Int? {
        guard let strips else { return Int(shape.height) }
        guard row == reach.rows else { return reach.rows }
        if let strip {
            guard waitForStrip(), first.addStrip(strip) else { return nil }
            reach.mcuRows = strip.upperBound
        }
        let next = reach.mcuRows + strips.mcuRows
        // The first reader decodes the last strip, and checks the end of the file.
        if next + strips.mcuRows < strips.total { start(next..<next + strips.mcuRows) }
        reach.mcuRows = min(next, strips.total)
        reach.rows = first.readyRows(mcuRows: reach.mcuRows)
        return reach.rows
    }

    /// Decodes the next rows into the buffer, at most those that can be read; returns fewer to give up.
    func readRows(_ count: Int, into rows: borrowing SampleBuffer<UInt8>) -> Int { first.readRows(count, into: rows) }

    /// Returns whether the file ends properly after the last row; false to give up.
    func finish() -> Bool { first.finish() }

    /// Waits for the second thread, which reads the file.
    func stop() {
        if strip != nil { _ = waitForStrip() }
    }

    private func start(_ strip: Range<Int>) {
        let position = first.position
        let isStarted = spareThread?.start { [self] in
            if second == nil { second = makeSecond() }
            isSure = second?.readStrip(strip, for: first, from: position) ?? false
            end.signal()
        }
        if isStarted == true { self.strip = strip }
    }

    private func waitForStrip() -> Bool {
        strip = nil
        end.wait()
        return isSure
    }
}
