// SPDX-License-Identifier: MIT

/// Decodes QOI row by row.
struct QOIDecoder: ImageDecoding {
    static let headerBytes = 14
    /// The last bytes of a file.
    static let ending: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        var info = ImageInfo(format: .qoi, width: try window.uint32(at: 4), height: try window.uint32(at: 8))
        let channels = try window.uint8(at: 12)
        let space = try window.uint8(at: 13)
        guard channels == 3 || channels == 4, space < 2 else {
            throw ImagingError(.corrupt, "QOI with \(channels) channels and colours \(space)")
        }
        info.hasAlpha = channels == 4
        var header = ImageHeader(info)
        if space == 1 { header.notes.append("linear colours are shown as sRGB") }
        return header
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        let start = max(Self.headerBytes, input.count - Self.ending.count)
        guard try input.read(at: start, count: Self.ending.count) == Self.ending else {
            throw ImagingError(.truncated, "no QOI end marker")
        }
    }

    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int { 0 }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        let flaw = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try checkCompleteness(job.input, job.header.info, limits: job.limits, watchdog: job.watchdog)
        }
        let shape = RowShape(of: job.header.info, width: job.header.info.width, height: job.header.info.height)
        try receiver.begin(shape)
        let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
        var pixels = QOIPixels(job.input)
        let channels = shape.layout.channels
        let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            for number in 0..<shape.height {
                try job.watchdog.check(row: number)
                for first in stride(from: 0, to: row.count, by: channels) {
                    let pixel = try pixels.next()
                    for channel in 0..<channels {
                        unsafe row.base[first + channel] = UInt8(truncatingIfNeeded: pixel >> UInt32(channel * 8))
                    }
                }
                row.withSpan(0..<row.count) { receiver.receive($0) }
            }
            try pixels.checkEnd(at: job.input.count - Self.ending.count)
        }
        return DecodeOutcome(damage: flaw ?? damage)
    }
}

/// Reads the pixels of a QOI in order.
private struct QOIPixels {
    private var window: ByteWindow
    private var offset = QOIDecoder.headerBytes
    /// The previous pixel: red in the lowest byte, then green, blue and alpha.
    private var pixel: UInt32 = 0xFF00_0000
    private var seen = [UInt32](repeating: 0, count: 64)
    /// How often the previous pixel is still repeated.
    private var repeats = 0

    init(_ input: ImageInput) { window = ByteWindow(input, span: 65536) }

    mutating func next() throws(ImagingError) -> UInt32 {
        if repeats > 0 {
            repeats -= 1
            return pixel
        }
        let code = UInt32(try byte())
        switch code {
        case 0xFE: pixel = pixel & 0xFF00_0000 | (try bytes(3))
        case 0xFF: pixel = try bytes(4)
        case 0x00..<0x40: pixel = seen[Int(code)]
        case 0x40..<0x80: change(Int(code >> 4 & 3) - 2, Int(code >> 2 & 3) - 2, Int(code & 3) - 2)
        case 0x80..<0xC0:
            let green = Int(code & 63) - 32
            let others = Int(try byte())
            change(green - 8 + others >> 4, green, green - 8 + others & 15)
        default: repeats = Int(code & 63)
        }
        let hash = part(0) * 3 + part(1) * 5 + part(2) * 7 + part(3) * 11
        seen[hash % 64] = pixel
        return pixel
    }

    /// Throws unless the last pixel's code ends where the end marker starts: other pixels may be wrong, too.
    func checkEnd(at end: Int) throws(ImagingError) {
        guard offset == end, repeats == 0 else {
            throw ImagingError(.corrupt, "the QOI pixels end at byte \(offset), and their codes at \(end)")
        }
    }

    /// Adds differences to the channels, which wrap around.
    private mutating func change(_ red: Int, _ green: Int, _ blue: Int) {
        func changed(_ channel: Int, _ difference: Int) -> UInt32 {
            UInt32(UInt8(truncatingIfNeeded: part(channel) + difference)) << UInt32(channel * 8)
        }
        pixel = pixel & 0xFF00_0000 | changed(0, red) | changed(1, green) | changed(2, blue)
    }

    /// Returns a channel of the previous pixel.
    private func part(_ channel: Int) -> Int { Int(pixel >> UInt32(channel * 8) & 255) }

    private mutating func byte() throws(ImagingError) -> Int {
        defer { offset += 1 }
        return try window.uint8(at: offset)
    }

    private mutating func bytes(_ count: Int) throws(ImagingError) -> UInt32 {
        defer { offset += count }
        return try window.bytes(at: offset, count: count).number(bigEndian: false)
    }
}

extension ImageFormat {
    /// QOI, the "quite OK image format", which is lossless and simple.
    public static let qoi = ImageFormat(named: "qoi")
}

extension Codec {
    static let qoi = Codec(
        format: .qoi, title: "QOI", mediaType: "image/qoi", fileExtensions: ["qoi"],
        signatures: [ImageSignature((0, Array("qoif".utf8)))], decoder: QOIDecoder(), makeTestFile: { qoiTestFile })

    /// The self-test's picture with each pixel by itself.
    private static var qoiTestFile: [UInt8] {
        var file: [UInt8] = Array("qoif".utf8) + [0, 0, 0, 16, 0, 0, 0, 16, 3, 0]
        for pixel in stride(from: 0, to: testPicture.bytes.count, by: 3) {
            file += [0xFE] + testPicture.bytes[pixel..<pixel + 3]
        }
        return file + QOIDecoder.ending
    }
}
