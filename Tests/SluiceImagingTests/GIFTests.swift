// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("GIF", .timeLimit(.minutes(10))) struct GIFTests {
    private static let signature = Array("GIF89a".utf8)
    private static let colors: [UInt8] = [255, 0, 0, 0, 255, 0]
    /// Three bits for each of four pixels (0, 1, 1, 0), and for the codes that start and end them.
    private static let data: [UInt8] = [2, 3, 0x44, 0x02, 0x05, 0]

    /// Makes the screen's description with a table of two colours, or without one.
    private static func screen(_ width: Int, _ height: Int, hasColors: Bool = true) -> [UInt8] {
        signature + UInt16(width).littleEndianBytes + UInt16(height).littleEndianBytes
            + (hasColors ? [0x80, 0, 0] + colors : [0, 0, 0])
    }

    /// Makes an image of four pixels in a row, or the beginning of one with another size.
    private static func image(
        x: Int = 0, y: Int = 0, width: Int = 4, height: Int = 1, table: [UInt8] = [], data: [UInt8] = data
    ) -> [UInt8] {
        [0x2C] + [x, y, width, height].flatMap { UInt16($0).littleEndianBytes } + [table.isEmpty ? 0 : 0x80] + table
            + data
    }

    private static let trailer: [UInt8] = [0x3B]

    @Test("Pixels have the colours of the global table, or of the image's own")
    func tables() throws {
        let file = Self.screen(4, 1) + Self.image() + Self.trailer
        #expect(try decode(file).bytes == [255, 0, 0, 0, 255, 0, 0, 255, 0, 255, 0, 0])
        let own = Self.screen(4, 1) + Self.image(table: [1, 2, 3, 4, 5, 6]) + Self.trailer
        #expect(try decode(own).bytes == [1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3])
        let none = Self.screen(4, 1, hasColors: false) + Self.image() + Self.trailer
        #expect(failure(of: none)?.code == .corrupt)
    }

    /// Of the codes of three bits, 4 clears, 5 ends, and 6 is the first pair.
    @Test(
        "A code that is not defined yet is corrupt, and one after the last pixel does not matter",
        arguments: [
            ([4, 6, 0, 0, 0, 5], false), ([4, 0, 7, 0, 0, 5], false), ([4, 0, 6, 0], true), ([4, 0, 6, 0, 7, 7], true),
        ])
    func undefinedCodes(codes: [Int], isIntact: Bool) throws {
        var (bits, count) = (0, 0)
        for code in codes {
            bits |= code << count
            count += 3
        }
        let bytes = (0..<(count + 7) / 8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        let file = Self.screen(4, 1) + Self.image(data: [2, UInt8(bytes.count)] + bytes + [0]) + Self.trailer
        #expect(failure(of: file)?.code == (isIntact ? nil : .corrupt))
    }

    /// giflib refused the first, and more than eight bits.
    @Test("All 4096 codes may stay defined, and colours may have more than eight bits", arguments: [2, 9])
    func manyCodes(rootBits: Int) throws {
        let clear = 1 << rootBits
        var (bytes, buffer, count) = ([UInt8](), 0, 0)
        var (bits, codes) = (rootBits + 1, clear + 1)
        func append(_ code: Int) {
            buffer |= code << count
            count += bits
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: buffer))
                (buffer, count) = (buffer >> 8, count - 8)
            }
        }
        append(clear)
        for _ in 0..<10_000 {
            append(1)
            if codes < 4096 { codes += 1 }
            if codes == 1 << bits, bits < 12 { bits += 1 }
        }
        append(clear + 1)
        bytes += [UInt8(truncatingIfNeeded: buffer), 0]
        var data = [UInt8(rootBits)]
        for start in stride(from: 0, to: bytes.count, by: 255) {
            let piece = bytes[start..<min(start + 255, bytes.count)]
            data += [UInt8(piece.count)] + piece
        }
        let file = Self.screen(100, 100) + Self.image(width: 100, height: 100, data: data + [0]) + Self.trailer
        #expect(try decode(file).bytes == (0..<10_000).flatMap { _ in [0, 255, 0] as [UInt8] })
    }

    @Test("The canvas is transparent around the frame, and grows with a frame that exceeds it")
    func canvas() throws {
        let inside = try decode(Self.screen(6, 3) + Self.image(x: 1, y: 1) + Self.trailer)
        #expect(inside.width == 6 && inside.height == 3 && inside.layout == .rgba)
        #expect(inside.pixel(0, 1) == [0, 0, 0, 0] && inside.pixel(1, 1) == [255, 0, 0, 255])
        #expect(inside.pixel(1, 0)[3] == 0 && inside.pixel(4, 2)[3] == 0 && inside.pixel(5, 1)[3] == 0)
        let outside = try decode(Self.screen(2, 1) + Self.image(x: 1, y: 2) + Self.trailer)
        #expect(outside.width == 5 && outside.height == 3 && outside.pixel(4, 2) == [255, 0, 0, 255])
    }

    @Test("The graphics block before the first frame sets its transparent colour; other blocks do no harm")
    func transparency() throws {
        let comment: [UInt8] = [0x21, 0xFE, 2, 65, 66, 0]
        let control: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 1, 0]
        let image = try decode(Self.screen(4, 1) + control + comment + [0] + Self.image() + Self.trailer)
        #expect(image.bytes == [255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 255])
        let later = try decode(Self.screen(4, 1) + Self.image() + control + Self.image() + Self.trailer)
        #expect(later.layout == .rgb)
    }

    @Test("Only the first frame is used, and a note says how many there are")
    func frames() throws {
        let file = Self.screen(4, 1) + Self.image() + Self.image(width: 9, height: 9) + Self.image() + Self.trailer
        let result = try Thumbnailer().thumbnails(of: file)
        #expect(result.info.frames == 3 && result.info.width == 4)
        #expect(result.notes == ["only the first of 3 frames is used"])
        #expect(try Thumbnailer().thumbnails(of: Self.screen(4, 1) + Self.image() + Self.trailer).notes == [])
    }

    @Test("A declared size is checked before memory is taken", arguments: [false, true])
    func bomb(isCanvas: Bool) {
        let image = Self.image(width: isCanvas ? 4 : 65535, height: isCanvas ? 1 : 65535)
        let file = Self.screen(isCanvas ? 65535 : 4, isCanvas ? 65535 : 1) + image + Self.trailer
        #expect(failure(of: file)?.description == "too-many-pixels: 65535x65535 (limit 100000000)")
        let empty = Self.screen(4, 1) + Self.image(width: 0) + Self.trailer
        #expect(failure(of: empty)?.code == .corrupt)
    }

    @Test("An interlaced frame counts with its pixels as memory")
    func memory() throws {
        var interlaced = Self.screen(4000, 2000) + Self.image(width: 4000, height: 2000) + Self.trailer
        interlaced[Self.screen(1, 1).count + 9] = 0x40
        var options = ThumbnailOptions()
        options.limits.memory = 8 << 20
        #expect(failure(of: interlaced, options)?.code == .decodeLimit)
        options.limits.memory = 16 << 20
        #expect(failure(of: interlaced, options)?.code == .truncated)
    }

    @Test("Pixels that end early, and blocks that do not exist, are damage")
    func damage() throws {
        let short = Self.screen(4, 1) + Self.image(height: 2) + Self.trailer
        #expect(failure(of: short)?.description == "truncated: GIF image data ends early")
        let unknown = Self.screen(4, 1) + Self.image() + [0x77] + Self.trailer
        #expect(failure(of: unknown)?.code == .corrupt)
        #expect(failure(of: Self.screen(4, 1) + Self.trailer)?.code == .corrupt)
        var options = ThumbnailOptions()
        options.salvages = true
        let salvaged = try Thumbnailer(options).thumbnails(of: short)
        #expect(salvaged.damage?.code == .truncated && salvaged.thumbnails.count == 1)
    }

    @Test("A file without its trailer is complete except for it")
    func missingTrailer() throws {
        let file = Self.screen(4, 1) + Self.image()
        #expect(failure(of: file)?.code == .truncated)
        var options = ThumbnailOptions()
        options.acceptsMissingEnd = true
        #expect(try Thumbnailer(options).thumbnails(of: file).notes == ["no GIF trailer, but all pixels"])
        #expect(failure(of: Array(file.dropLast()), options)?.code == .truncated)
    }
}

extension UInt16 {
    fileprivate var littleEndianBytes: [UInt8] { [UInt8(self & 255), UInt8(self >> 8)] }
}
