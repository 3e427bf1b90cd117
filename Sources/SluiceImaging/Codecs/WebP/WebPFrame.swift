// SPDX-License-Identifier: MIT

/// A frame of an animated WebP and its position on the canvas.
struct WebPFrame {
    /// The frame as a still WebP file.
    let file: [UInt8]
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let milliseconds: Int
    /// Whether the frame is blended with the canvas; otherwise it overwrites the canvas.
    let isBlended: Bool
    /// Whether the frame's area becomes transparent before the next frame.
    let isCleared: Bool

    /// Extracts the first frame of an animation.
    init(of input: ImageInput, canvas: ImageInfo) throws(ImagingError) {
        var window = ByteWindow(input)
        var chunks = WebPChunks(offset: 30)
        guard let frame = try WebPFrame(next: &chunks, in: &window, of: input, canvas: canvas) else {
            throw ImagingError(.corrupt, "animation without a frame")
        }
        self = frame
    }

    /// Extracts the next frame of an animation; `nil` if there is none.
    init?(
        next chunks: inout WebPChunks, in window: inout ByteWindow, of input: ImageInput, canvas: ImageInfo
    ) throws(ImagingError) {
        var found: WebPChunks.Chunk?
        while found == nil, let chunk = try chunks.next(in: &window) {
            if chunk.name == "ANMF" { found = chunk }
        }
        guard let body = found?.body else { return nil }
        guard body.count > 16 else { throw ImagingError(.corrupt, "a frame of \(body.count) bytes") }
        x = try window.littleEndian(at: body.lowerBound, count: 3) * 2
        y = try window.littleEndian(at: body.lowerBound + 3, count: 3) * 2
        width = try window.littleEndian(at: body.lowerBound + 6, count: 3) + 1
        height = try window.littleEndian(at: body.lowerBound + 9, count: 3) + 1
        milliseconds = try window.littleEndian(at: body.lowerBound + 12, count: 3)
        let flags = try window.uint8(at: body.lowerBound + 15)
        (isBlended, isCleared) = (flags & 2 == 0, flags & 1 != 0)
        guard x + width <= canvas.width, y + height <= canvas.height else {
            throw ImagingError(.corrupt, "a frame exceeds the canvas")
        }
        let images = try input.read(at: body.lowerBound + 16, count: body.count - 16)
        file = Self.still(images, width: width, height: height)
    }

    /// Wraps a frame's chunks in an extended WebP file.
    private static func still(_ chunks: [UInt8], width: Int, height: Int) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let alpha: UInt8 = chunks.starts(with: Array("ALPH".utf8)) || chunks.starts(with: Array("VP8L".utf8)) ? 0x10 : 0
        let header =
            Array("VP8X".utf8) + number(10, 4) + [alpha, 0, 0, 0] + number(width - 1, 3) + number(height - 1, 3)
        return Array("RIFF".utf8) + number(4 + header.count + chunks.count, 4) + Array("WEBP".utf8) + header + chunks
    }
}
