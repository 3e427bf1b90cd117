// SPDX-License-Identifier: MIT

/// The pixels of a bitmap that stores runs of colour numbers (RLE4 and RLE8).
///
/// Pixels that the runs leave out have the first colour.
struct BMPRuns: ~Copyable {
    private let bitmap: BMPHeader
    private let numbers: SampleBuffer<UInt8>
    private var column = 0
    private var row = 0
    /// The number of pixels that the runs state, within the bitmap and outside of it.
    private var painted = 0
    private var outside = 0
    /// The offset of the next code.
    private var offset: Int

    init(_ bitmap: BMPHeader) {
        self.bitmap = bitmap
        offset = bitmap.start
        numbers = SampleBuffer(count: bitmap.width * bitmap.height, zero: 0)
    }

    /// Passes the colour numbers of a row, as stored, to `body`.
    func withRow(_ row: Int, _ body: (Span<UInt8>) -> Void) {
        numbers.withSpan(row * bitmap.width..<(row + 1) * bitmap.width, body)
    }

    /// Decodes runs up to their end; throws `truncated` if the file ends before that.
    mutating func decode(_ window: inout ByteWindow, watchdog: DecodeWatchdog) throws(ImagingError) {
        var steps = 0
        while row < bitmap.height {
            steps += 1
            if steps % 4096 == 0 { try watchdog.check() }
            let (count, value) = (try window.uint8(at: offset), try window.uint8(at: offset + 1))
            offset += 2
            if count > 0 {
                for index in 0..<count { put(number(index, of: value)) }
                continue
            }
            switch value {
            case 0: (column, row) = (0, row + 1)
            case 1: return
            case 2:
                column += try window.uint8(at: offset)
                row += try window.uint8(at: offset + 1)
                offset += 2
            default:
                let bytes = (value * bitmap.bits + 7) / 8
                let stored = try window.bytes(at: offset, count: bytes)
                for index in 0..<value {
                    let byte = stored[stored.startIndex + index * bitmap.bits / 8]
                    put(bitmap.bits == 8 ? byte : number(index, of: Int(byte)))
                }
                // Runs without repetition end at a multiple of two bytes.
                offset += (bytes + 1) / 2 * 2
            }
        }
    }

    /// Returns the colour number of a pixel in a run: with four bits, two numbers take turns.
    private func number(_ index: Int, of value: Int) -> UInt8 {
        guard bitmap.bits == 4 else { return UInt8(value) }
        return UInt8(index % 2 == 0 ? value >> 4 : value & 15)
    }

    /// Stores the next pixel of the row; pixels outside of the bitmap are ignored, as in browsers.
    private mutating func put(_ number: UInt8) {
        if column < bitmap.width, row < bitmap.height {
            unsafe numbers.base[row * bitmap.width + column] = number
            painted += 1
        } else {
            outside += 1
        }
        column += 1
    }

    /// What other decoders may refuse, or show differently.
    var notes: [String] {
        let pixels = bitmap.width * bitmap.height
        return (painted < pixels ? ["pixels that the runs leave out: \(pixels - painted) of \(pixels)"] : [])
            + (outside > 0 ? ["pixels of the runs outside of the bitmap: \(outside)"] : [])
    }
}
