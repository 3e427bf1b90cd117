// SPDX-License-Identifier: MIT

/// Checks the LZW codes of a GIF's frame.
///
/// giflib paints something for a code that is not defined yet, so a damaged frame would count as intact.
struct GIFCodes {
    private static let maxCodes = 4096

    private let clearCode: Int
    private let firstBits: Int
    private let pixels: Int
    /// The number of pixels of each code.
    private var lengths = [Int32](repeating: 1, count: maxCodes)
    private var bits: Int
    private var nextCode: Int
    private var previous: Int?
    private var decoded = 0

    /// Throws if the frame has an undefined code before its last pixel; what follows that pixel does not matter.
    static func check(_ frame: GIFFrame, of input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) {
        var window = ByteWindow(input, span: 65536)
        var offset = frame.dataStart
        let rootBits = try window.uint8(at: offset)
        // giflib refuses other sizes.
        guard (1...8).contains(rootBits) else { return }
        var codes = GIFCodes(rootBits: rootBits, pixels: frame.width * frame.height)
        var (buffer, count) = (0, 0)
        offset += 1
        while offset < window.count, case let length = try window.uint8(at: offset), length > 0 {
            guard offset + length < window.count else { return }
            try watchdog.check()
            for byte in try window.bytes(at: offset + 1, count: length) {
                buffer |= Int(byte) << count
                count += 8
                while count >= codes.bits {
                    let code = buffer & (1 << codes.bits - 1)
                    buffer >>= codes.bits
                    count -= codes.bits
                    guard try codes.take(code) else { return }
                }
            }
            offset += 1 + length
        }
    }

    private init(rootBits: Int, pixels: Int) {
        clearCode = 1 << rootBits
        firstBits = rootBits + 1
        (bits, nextCode) = (rootBits + 1, clearCode + 2)
        self.pixels = pixels
    }

    /// Takes the next code; returns false after the last pixel.
    private mutating func take(_ code: Int) throws(ImagingError) -> Bool {
        if code == clearCode {
            (bits, nextCode, previous) = (firstBits, clearCode + 2, nil)
            return true
        }
        // giflib reports an end that comes too early.
        if code == clearCode + 1 { return false }
        guard let previous else {
            guard code < clearCode else { throw Self.undefined }
            self.previous = code
            return add(1)
        }
        guard code <= nextCode, code < Self.maxCodes else { throw Self.undefined }
        if nextCode < Self.maxCodes {
            lengths[nextCode] = lengths[previous] + 1
            nextCode += 1
            if nextCode == 1 << bits, bits < 12 { bits += 1 }
        }
        self.previous = code
        return add(Int(lengths[code]))
    }

    private mutating func add(_ count: Int) -> Bool {
        decoded += count
        return decoded < pixels
    }

    private static var undefined: ImagingError { ImagingError(.corrupt, "invalid GIF image data") }
}
