// SPDX-License-Identifier: MIT

internal import CZlib

extension PNGDecoder: AnimationDecoding {
    func decodeFrames(
        _ job: DecodeJob, _ body: (AnimationFrame) throws(ImagingError) -> Bool
    ) throws(ImagingError) {
        var window = ByteWindow(job.input)
        var chunks = PNGChunks(offset: 33)
        // The palette, its transparency and the range of light, which all frames share.
        var palette: [UInt8] = []
        var current: PNGFrame?
        while let chunk = try chunks.next(in: &window) {
            switch chunk.name {
            case "PLTE", "tRNS", "cICP", "cLLI", "mDCV":
                palette += try window.bytes(chunk.body.lowerBound - 8..<chunk.body.upperBound + 4)
            case "fcTL":
                if let current, try !body(current.frame(job, palette)) { return }
                current = try PNGFrame(chunk, in: &window, canvas: job.header.info)
            // Pixels before the first control belong to the still picture only.
            case "IDAT": current?.data += try window.bytes(chunk.body)
            case "fdAT": current?.data += try chunk.checkedBytes(in: &window).dropFirst(4)
            default: break
            }
        }
        if let current { _ = try body(current.frame(job, palette)) }
    }
}

/// A frame of an animated PNG.
private struct PNGFrame {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let milliseconds: Int
    let disposal: AnimationFrame.Disposal
    let isBlended: Bool
    var data: [UInt8] = []

    /// Reads the chunk that controls a frame.
    init(_ chunk: PNGChunks.Chunk, in window: inout ByteWindow, canvas: ImageInfo) throws(ImagingError) {
        let bytes = try chunk.checkedBytes(in: &window)
        guard bytes.count == 26 else { throw ImagingError(.corrupt, "a frame's control of \(bytes.count) bytes") }
        let start = bytes.startIndex
        func number(_ offset: Int, _ count: Int) -> Int {
            Int(bytes[start + offset..<start + offset + count].number(bigEndian: true))
        }
        (width, height, x, y) = (number(4, 4), number(8, 4), number(12, 4), number(16, 4))
        let unit = number(22, 2)
        milliseconds = number(20, 2) * 1000 / (unit == 0 ? 100 : unit)
        disposal =
            switch number(24, 1) {
            case 1: .clear
            case 2: .restore
            default: .keep
            }
        isBlended = number(25, 1) == 1
        guard width > 0, height > 0 else { throw ImagingError(.corrupt, "a frame without pixels") }
        try AnimationFrame.check(x: x, y: y, width: width, height: height, on: canvas)
    }

    /// Decodes the frame, which shares the file's header and palette except for its size.
    func frame(_ job: DecodeJob, _ palette: [UInt8]) throws(ImagingError) -> AnimationFrame {
        let size = [width, height].flatMap { side in
            (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - 8 * $0)) }
        }
        let format = try job.input.read(at: 24, count: 5)
        let file =
            (try job.input.read(at: 0, count: 8)) + Self.chunk("IHDR", size + format) + palette
            + Self.chunk("IDAT", data) + Self.chunk("IEND", [])
        return AnimationFrame(
            image: try AnimationFrame.decode(still: file, job), x: x, y: y, milliseconds: milliseconds,
            isBlended: isBlended, disposal: disposal)
    }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let content = Array(name.utf8) + body
        return number(UInt32(body.count)) + content + number(PNGChunks.checksum(content[...]))
    }
}

extension PNGChunks.Chunk {
    /// Returns the content; throws `corrupt` if its checksum is wrong.
    fileprivate func checkedBytes(in window: inout ByteWindow) throws(ImagingError) -> ArraySlice<UInt8> {
        let chunk = try window.bytes(body.lowerBound - 4..<body.upperBound + 4)
        guard PNGChunks.checksum(chunk.dropLast(4)) == chunk.suffix(4).number(bigEndian: true) else {
            throw ImagingError(.corrupt, "\(name): CRC error")
        }
        return chunk.dropFirst(4).dropLast(4)
    }
}

extension PNGChunks {
    /// The checksum of a chunk's name and content.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { UInt32(unsafe crc32_z(0, $0.baseAddress, $0.count)) }
    }
}
