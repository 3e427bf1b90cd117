// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Checks that each chunk of a chunked body ends with CRLF, and finds bytes after the last one.
///
/// libcurl accepts a bare LF there. A body that lacks its last byte then gains the CR of the chunk's end instead. All
/// other rules are left to libcurl.
struct ChunkFraming {
    private enum Position {
        /// Within the line with the size, after this many digits.
        case size(Int, digits: Int)
        /// Within the rest of that line.
        case line(size: Int)
        /// This many bytes of the chunk are missing.
        case data(Int)
        case carriageReturn
        case lineFeed
        /// Within the lines after the last chunk, which an empty line ends.
        case trailer(isEmpty: Bool)
        case complete
        /// Where the bytes are not chunks.
        case end
    }

    private var position = Position.size(0, digits: 0)
    /// Whether a chunk does not end with CRLF.
    private(set) var isBroken = false
    /// Whether bytes follow the body.
    private(set) var hasSurplus = false

    /// Processes the next bytes of the body.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < bytes.count {
            switch position {
            case .end: return
            case .complete:
                hasSurplus = true
                return
            case .data(let missing):
                let count = min(missing, bytes.count - offset)
                position = count == missing ? .carriageReturn : .data(missing - count)
                offset += count
            default:
                unsafe receive(bytes[offset])
                offset += 1
            }
        }
    }

    private mutating func receive(_ byte: UInt8) {
        switch position {
        case .size(let size, let digits):
            if let digit = byte.hexadecimalValue, digits < 15 {
                // Leading zeros count as one digit.
                position = .size(size << 4 | Int(digit), digits: size == 0 ? 1 : digits + 1)
            } else {
                position = digits == 0 ? .end : .line(size: size)
                if byte == UInt8(ascii: "\n") { finishLine(size) }
            }
        case .line(let size): if byte == UInt8(ascii: "\n") { finishLine(size) }
        case .carriageReturn: expect(byte, UInt8(ascii: "\r"), then: .lineFeed)
        case .lineFeed: expect(byte, UInt8(ascii: "\n"), then: .size(0, digits: 0))
        case .trailer(let isEmpty):
            switch byte {
            case UInt8(ascii: "\n"): position = isEmpty ? .complete : .trailer(isEmpty: true)
            case UInt8(ascii: "\r"): break
            default: position = .trailer(isEmpty: false)
            }
        case .data, .complete, .end: break
        }
    }

    private mutating func finishLine(_ size: Int) { position = size == 0 ? .trailer(isEmpty: true) : .data(size) }

    private mutating func expect(_ byte: UInt8, _ expected: UInt8, then next: Position) {
        isBroken = byte != expected
        position = isBroken ? .end : next
    }
}
