// SPDX-License-Identifier: MIT

/// Decodes the first frame of a GIF, on a transparent canvas.
///
/// Streams rows, but assembles an interlaced frame in memory first.
struct GIFDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .gif(&window)
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input, span: 65536)
        var blocks = try GIFBlocks(&window)
        while try blocks.next(in: &window) != nil { try watchdog.check() }
    }

    /// Adds the trailer if it alone is missing.
    func completed(_ input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) -> ImageInput? {
        let completed = input.prefix(input.count, followedBy: [0x3B])
        var window = ByteWindow(completed, span: 65536)
        var blocks = try GIFBlocks(&window)
        let damage = try captureDamage(if: true) { () throws(ImagingError) in
            while try blocks.next(in: &window) != nil { try watchdog.check() }
        }
        return damage == nil && blocks.offset == input.count ? completed : nil
    }

    /// Interlaced frames need memory for all rows.
    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        header.wholeImageBytes
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        let flaw = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try checkCompleteness(job.input, job.header.info, limits: job.limits, watchdog: job.watchdog)
        }
        let frame = try GIFFrame(of: job.input)
        let canvas = GIFCanvas(frame, colors: try frame.readColors(job.input))
        let pixels = try GIFUnpacker(frame, of: job.input)
        try receiver.begin(canvas.shape)
        let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            if frame.isInterlaced {
                try readInterlaced(pixels, frame, job, canvas, receiver)
            } else {
                try readRows(pixels, frame, job, canvas, receiver)
            }
        }
        return DecodeOutcome(damage: flaw ?? damage)
    }

    private func readRows(
        _ pixels: GIFUnpacker, _ frame: GIFFrame, _ job: DecodeJob, _ canvas: borrowing GIFCanvas,
        _ receiver: some RowReceiving
    ) throws(ImagingError) {
        let indices = SampleBuffer<UInt8>(count: frame.width, zero: 0)
        for row in 0..<frame.canvas.height {
            try job.watchdog.check(row: row)
            if (frame.y..<frame.y + frame.height).contains(row) {
                try pixels.readRow(frame.width, into: indices)
                canvas.send(indices, at: 0, to: receiver)
            } else {
                canvas.sendEmptyRow(to: receiver)
            }
        }
    }

    private func readInterlaced(
        _ pixels: GIFUnpacker, _ frame: GIFFrame, _ job: DecodeJob, _ canvas: borrowing GIFCanvas,
        _ receiver: some RowReceiving
    ) throws(ImagingError) {
        let indices = SampleBuffer<UInt8>(count: frame.width * frame.height, zero: 0)
        var isDecoded = [Bool](repeating: false, count: frame.height)
        let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            for (number, row) in frame.storedRows.enumerated() {
                try job.watchdog.check(row: number)
                try pixels.readRow(frame.width, into: indices, at: row * frame.width)
                isDecoded[row] = true
            }
        }
        if let damage, !isDecoded[0] { throw damage }
        // A missing row repeats the one above, and the first row is never missing.
        var last = 0
        for row in 0..<frame.canvas.height {
            try job.watchdog.check(row: row)
            if (frame.y..<frame.y + frame.height).contains(row) {
                if isDecoded[row - frame.y] { last = row - frame.y }
                canvas.send(indices, at: last * frame.width, to: receiver)
            } else {
                canvas.sendEmptyRow(to: receiver)
            }
        }
        if let damage { throw damage }
    }
}

/// Turns the colour numbers of a frame's rows into rows of the canvas.
private struct GIFCanvas: ~Copyable {
    let shape: RowShape
    private let frame: GIFFrame
    private let colors: [UInt8]
    private let row: SampleBuffer<UInt8>

    /// Creates a canvas; `colors` holds 256 colours as RGBA.
    init(_ frame: GIFFrame, colors: [UInt8]) {
        self.frame = frame
        self.colors = colors
        shape = RowShape(width: frame.canvas.width, height: frame.canvas.height, layout: frame.hasAlpha ? .rgba : .rgb)
        row = SampleBuffer(count: shape.rowBytes, zero: 0)
    }

    /// Sends a row of the frame, whose colour numbers start at an offset.
    func send(_ indices: borrowing SampleBuffer<UInt8>, at offset: Int, to receiver: some RowReceiving) {
        precondition(offset >= 0 && offset + frame.width <= indices.count, "the row lies within the buffer")
        precondition(colors.count == 1024, "every number has a colour")
        let channels = shape.layout.channels
        if frame.width < frame.canvas.width { row.fill(0) }
        unsafe colors.withUnsafeBufferPointer { colors in
            for column in 0..<frame.width {
                let color = unsafe Int(indices.base[offset + column]) * 4
                let target = (frame.x + column) * channels
                for channel in 0..<channels { unsafe row.base[target + channel] = colors[color + channel] }
            }
        }
        row.withSpan(0..<row.count) { receiver.receive($0) }
    }

    /// Sends a transparent row above or below the frame.
    func sendEmptyRow(to receiver: some RowReceiving) {
        row.fill(0)
        row.withSpan(0..<row.count) { receiver.receive($0) }
    }
}

extension GIFDecoder: AnimationDecoding {
    func decodeFrames(
        _ job: DecodeJob, _ body: (AnimationFrame) throws(ImagingError) -> Bool
    ) throws(ImagingError) {
        var window = ByteWindow(job.input)
        var blocks = try GIFBlocks(&window)
        while let found = try GIFFrame(next: &blocks, in: &window) {
            try AnimationFrame.check(
                x: found.x, y: found.y, width: found.width, height: found.height, on: job.header.info)
            try blocks.skipData(in: &window)
            let still = try found.still(of: job.input, upTo: blocks.offset)
            let frame = AnimationFrame(
                image: try AnimationFrame.decode(still: still, job), x: found.x, y: found.y,
                milliseconds: found.control.milliseconds, isBlended: true, disposal: found.control.disposal)
            guard try body(frame) else { return }
        }
    }
}

extension GIFFrame {
    /// Returns the frame as a file of its own; its data ends at `end`.
    fileprivate func still(of input: ImageInput, upTo end: Int) throws(ImagingError) -> [UInt8] {
        let size = [width, height].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        var file = Array("GIF89a".utf8) + size
        file += try input.read(at: 10, count: globalColors.upperBound - 10)
        if let color = control.transparentColor { file += [0x21, 0xF9, 4, 1, 0, 0, color, 0] }
        file += [0x2C, 0, 0, 0, 0] + size
        // The flags, the frame's own colours and its data.
        let rest = start + GIFBlocks.descriptorBytes
        file += try input.read(at: rest, count: end - rest)
        return file + [0x3B]
    }
}

extension ImageFormat {
    /// GIF, which has at most 256 colours and can be animated.
    public static let gif = ImageFormat(named: "gif")
}

extension Codec {
    static let gif = Codec(
        format: .gif, title: "GIF", mediaType: "image/gif", fileExtensions: ["gif"],
        signatures: ["GIF87a", "GIF89a"].map { ImageSignature((0, Array($0.utf8))) }, decoder: GIFDecoder(),
        makeTestFile: { gifTestFile })

    /// The self-test's picture, which has one colour in each row, with codes of one byte and without compression.
    private static var gifTestFile: [UInt8] {
        var file: [UInt8] = Array("GIF87a".utf8) + [16, 0, 16, 0, 0x86, 0, 0]
        for row in 0..<16 as Range<UInt8> { file += [row * 8, row * 8 + 40, row * 8 + 80] }
        file += [UInt8](repeating: 0, count: 112 * 3)
        file += [0x2C, 0, 0, 0, 0, 16, 0, 16, 0, 0, 7]
        // Each row starts with the code that forgets earlier ones, so that codes never grow.
        for row in 0..<16 as Range<UInt8> { file += [17, 0x80] + [UInt8](repeating: row, count: 16) }
        return file + [1, 0x81, 0, 0x3B]
    }
}
