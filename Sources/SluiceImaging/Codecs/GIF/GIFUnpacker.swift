// SPDX-License-Identifier: MIT

/// Unpacks the LZW codes of a GIF's frame to the numbers of its colours.
///
/// A code that is not defined yet is damage. When all 4096 codes are defined, they stay so until the code that forgets
/// them; what follows the last pixel does not matter. Browsers have the same rules.
final class GIFUnpacker {
    private static let maxCodes = 4096

    private var window: ByteWindow
    /// The offset of the next piece of data.
    private var offset: Int
    private var piece: [UInt8] = []
    /// The place in the piece of the next byte.
    private var place = 0
    /// Bits that have been read and belong to the next codes.
    private var (buffer, bufferedBits) = (0, 0)

    private let clearCode: Int
    /// The bits of a code, and the number of defined codes.
    private var (bits, codes) = (0, 0)
    private var previous: Int?
    /// Of each code above the clear code, the code of its pixels but the last one.
    private let prefixes = SampleBuffer<UInt16>(count: maxCodes, zero: 0)
    /// The first and the last pixel of each code.
    private let firsts = SampleBuffer<UInt8>(count: maxCodes, zero: 0)
    private let lasts = SampleBuffer<UInt8>(count: maxCodes, zero: 0)
    /// The pixels of the last code, which end with the buffer, and where those start that have not been passed on.
    private let pixels = SampleBuffer<UInt8>(count: maxCodes, zero: 0)
    private var firstPixel = maxCodes

    /// Starts at a frame's first pixel.
    init(_ frame: GIFFrame, of input: ImageInput) throws(ImagingError) {
        window = ByteWindow(input, span: 65536)
        let rootBits = try window.uint8(at: frame.dataStart)
        guard (1...11).contains(rootBits) else { throw Self.invalid }
        offset = frame.dataStart + 1
        clearCode = 1 << rootBits
        for code in 0..<clearCode {
            // Colours have eight bits, whatever the codes have.
            unsafe firsts.base[code] = UInt8(truncatingIfNeeded: code)
            unsafe lasts.base[code] = UInt8(truncatingIfNeeded: code)
        }
        forgetCodes()
    }

    /// Unpacks the next stored row of the frame into `rows`, starting at `offset`.
    func readRow(_ width: Int, into rows: borrowing SampleBuffer<UInt8>, at offset: Int = 0) throws(ImagingError) {
        precondition(offset >= 0 && offset + width <= rows.count, "the row fits into the buffer")
        var column = 0
        while column < width {
            if firstPixel == Self.maxCodes { try unpackCode() }
            let count = min(width - column, Self.maxCodes - firstPixel)
            unsafe (rows.base + offset + column).update(from: pixels.base + firstPixel, count: count)
            firstPixel += count
            column += count
        }
    }

    private func forgetCodes() {
        codes = clearCode + 2
        bits = clearCode.trailingZeroBitCount + 1
        previous = nil
    }

    /// Reads codes up to one that has pixels.
    private func unpackCode() throws(ImagingError) {
        var code = try nextCode()
        while code == clearCode {
            forgetCodes()
            code = try nextCode()
        }
        guard code != clearCode + 1 else { throw Self.earlyEnd }
        if let previous {
            guard code <= codes else { throw Self.invalid }
            if codes < Self.maxCodes { define(previous, followedBy: code) }
        } else if code > clearCode {
            throw Self.invalid
        }
        previous = code
        while code > clearCode {
            firstPixel -= 1
            unsafe pixels.base[firstPixel] = lasts.base[code]
            code = unsafe Int(prefixes.base[code])
        }
        firstPixel -= 1
        unsafe pixels.base[firstPixel] = lasts.base[code]
    }

    /// Defines the next code: the pixels of a code, and the first one of another, which may be the next code itself.
    private func define(_ previous: Int, followedBy code: Int) {
        unsafe prefixes.base[codes] = UInt16(previous)
        unsafe firsts.base[codes] = firsts.base[previous]
        unsafe lasts.base[codes] = firsts.base[code]
        codes += 1
        if codes == 1 << bits, bits < 12 { bits += 1 }
    }

    private func nextCode() throws(ImagingError) -> Int {
        while bufferedBits < bits {
            if place == piece.count { try readPiece() }
            buffer |= Int(piece[place]) << bufferedBits
            place += 1
            bufferedBits += 8
        }
        let code = buffer & (1 << bits - 1)
        buffer >>= bits
        bufferedBits -= bits
        return code
    }

    private func readPiece() throws(ImagingError) {
        let length = try window.uint8(at: offset)
        guard length > 0 else { throw Self.earlyEnd }
        piece.removeAll(keepingCapacity: true)
        piece += try window.bytes(at: offset + 1, count: length)
        place = 0
        offset += 1 + length
    }

    private static var invalid: ImagingError { ImagingError(.corrupt, "invalid GIF image data") }
    private static var earlyEnd: ImagingError { ImagingError(.truncated, "GIF image data ends early") }
}
