// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Animated thumbnails, read back by libwebp's own reader of animations.
@Suite("Animated thumbnails", .timeLimit(.minutes(2))) struct AnimationTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let green: [UInt8] = [0, 255, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]
    private static let clear: [UInt8] = [0, 0, 0, 0]

    /// Lossless thumbnails of the animation's own size.
    private static func options(_ side: Int = 4) -> ThumbnailOptions {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: side, height: side)]
        options.animation = .keep
        options.isLossless = true
        return options
    }

    private static func animation(of file: [UInt8], _ options: ThumbnailOptions = options()) throws -> DecodedAnimation
    {
        let thumbnail = try #require(try Thumbnailer(options).thumbnails(of: file).thumbnails.first)
        #expect(thumbnail.format == .webp)
        return DecodedAnimation(thumbnail.bytes)
    }

    // MARK: Files

    /// Makes a GIF with frames of 4 x 4 pixels or less, of red, green, blue and a transparent colour.
    private enum GIF {
        /// Makes a frame of one colour, 0 to 3.
        static func frame(
            _ color: UInt8, x: UInt8 = 0, y: UInt8 = 0, side: UInt8 = 4, hundredths: UInt8 = 10, disposal: UInt8 = 0
        ) -> [UInt8] {
            // Codes of four bits, each pixel after one that forgets the earlier ones.
            var codes: [UInt8] = []
            for _ in 0..<Int(side) * Int(side) { codes += [8, color] }
            codes += [9, 0]
            let bytes = stride(from: 0, to: codes.count, by: 2).map { codes[$0] | codes[$0 + 1] << 4 }
            let control: [UInt8] = [0x21, 0xF9, 4, disposal << 2 | 1, hundredths, 0, 3, 0]
            let descriptor: [UInt8] = [0x2C, x, 0, y, 0, side, 0, side, 0, 0, 3, UInt8(bytes.count)]
            return control + descriptor + bytes + [0]
        }

        static func file(_ frames: [[UInt8]], loops: UInt8? = nil) -> [UInt8] {
            let colors: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3]
            var file = Array("GIF89a".utf8) + [4, 0, 4, 0, 0x81, 0, 0] + colors
            if let loops { file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, loops, 0, 0] }
            for frame in frames { file += frame }
            return file + [0x3B]
        }
    }

    /// Makes an animated PNG of plain frames on a canvas of 4 x 4 pixels.
    private enum PNG {
        static func rows(_ side: Int, _ color: [UInt8]) -> [UInt8] {
            FileBuilder.zlib((0..<side).flatMap { _ in [0] + (0..<side).flatMap { _ in color } })
        }

        static func control(
            _ sequence: UInt32, side: UInt32 = 4, x: UInt32 = 0, y: UInt32 = 0, delay: [UInt8] = [0, 1, 0, 5],
            disposal: UInt8 = 0, blend: UInt8 = 0
        ) -> [UInt8] {
            let numbers = [sequence, side, side, x, y].flatMap(\.bigEndianBytes)
            return FileBuilder.chunk("fcTL", numbers + delay + [disposal, blend])
        }

        static func data(_ sequence: UInt8, side: Int = 4, _ color: [UInt8]) -> [UInt8] {
            FileBuilder.chunk("fdAT", [0, 0, 0, sequence] + rows(side, color))
        }

        static func file(frames: UInt8, loops: UInt8 = 0, _ chunks: [UInt8]) -> [UInt8] {
            FileBuilder.pngSignature + FileBuilder.header(width: 4, height: 4, colors: 6)
                + FileBuilder.chunk("acTL", [0, 0, 0, frames, 0, 0, 0, loops]) + chunks + FileBuilder.chunk("IEND", [])
        }

        static func still(_ color: [UInt8]) -> [UInt8] { FileBuilder.chunk("IDAT", rows(4, color)) }
    }

    // MARK: Formats

    @Test("GIF: areas, transparency, disposal, durations and repetitions")
    func gif() throws {
        let file = GIF.file(
            [
                GIF.frame(0), GIF.frame(1, x: 2, y: 2, side: 2, hundredths: 20, disposal: 2),
                GIF.frame(2, side: 1, hundredths: 1, disposal: 3), GIF.frame(3, hundredths: 30),
            ], loops: 2)
        let shown = try Self.animation(of: file)
        #expect(shown.ends == [100, 300, 400, 700] && shown.loops == 3)
        let corner = shown.frames.map { $0.pixel(3, 3).map(UInt8.init) }
        #expect(corner == [Self.red, Self.green, Self.clear, Self.clear])
        #expect(shown.frames.map { $0.pixel(0, 0).map(UInt8.init) } == [Self.red, Self.red, Self.blue, Self.red])
    }

    @Test("A GIF without a number of repetitions plays once, and one with zero for ever")
    func repetitions() throws {
        let frames = [GIF.frame(0), GIF.frame(1)]
        #expect(try Self.animation(of: GIF.file(frames)).loops == 1)
        #expect(try Self.animation(of: GIF.file(frames, loops: 0)).loops == 0)
    }

    @Test("PNG: areas, blending, disposal, durations and repetitions")
    func png() throws {
        let file = PNG.file(
            frames: 3, loops: 7,
            PNG.control(0) + PNG.still(Self.red)
                + PNG.control(1, side: 2, x: 1, y: 1, delay: [0, 3, 0, 0], disposal: 2, blend: 1)
                + PNG.data(2, side: 2, [0, 0, 255, 128]) + PNG.control(3, side: 1) + PNG.data(4, side: 1, Self.clear))
        let shown = try Self.animation(of: file)
        #expect(shown.ends == [200, 230, 430] && shown.loops == 7)
        #expect(shown.frames.map { $0.pixel(2, 2) } == [[255, 0, 0, 255], [127, 0, 128, 255], [255, 0, 0, 255]])
        #expect(shown.frames.map { $0.pixel(0, 0)[3] } == [255, 255, 0])
    }

    @Test("PNG: frames of high dynamic range are reduced like a still picture")
    func dynamicRange() throws {
        let grey: [UInt8] = [148, 148, 148, 255]
        let file = PNG.file(
            frames: 2,
            FileBuilder.chunk("cICP", [9, 16, 0, 1]) + PNG.control(0) + PNG.still(grey) + PNG.control(1)
                + PNG.data(2, Self.red))
        let shown = try Self.animation(of: file).frames
        #expect(abs(shown[0].pixel(0, 0)[0] - 209) <= 1 && shown[1].pixel(0, 0) == [255, 0, 0, 255])
    }

    @Test("A PNG's still picture without a control is no frame")
    func separateStill() throws {
        let file = PNG.file(
            frames: 2,
            PNG.still(Self.green) + PNG.control(0) + PNG.data(1, Self.red) + PNG.control(2) + PNG.data(3, Self.blue))
        #expect(try Self.animation(of: file).frames.map { $0.pixel(0, 0).map(UInt8.init) } == [Self.red, Self.blue])
        var options = Self.options()
        (options.animation, options.format) = (.first, .fixed(.png))
        let still = try #require(try Thumbnailer(options).thumbnails(of: file).thumbnails.first)
        #expect(try decode(still.bytes).pixel(0, 0).prefix(3) == [0, 255, 0])
    }

    @Test("WebP: a thumbnail of the same size has the same frames")
    func webp() throws {
        let original = try Self.animation(
            of: GIF.file(
                [GIF.frame(0), GIF.frame(1, x: 1, y: 1, side: 2, disposal: 2), GIF.frame(2, side: 1)], loops: 4))
        let encoded = try #require(
            try Thumbnailer(Self.options()).thumbnails(
                of: GIF.file(
                    [GIF.frame(0), GIF.frame(1, x: 1, y: 1, side: 2, disposal: 2), GIF.frame(2, side: 1)], loops: 4)
            ).thumbnails.first)
        let again = try Self.animation(of: encoded.bytes)
        #expect(original.frames.count == 3 && again.frames == original.frames)
        #expect(again.ends == original.ends && again.loops == 5)
    }

    @Test("AVIF: every frame of the sequence")
    func avif() throws {
        let file = try ForeignFileTests.file("animated.avif")
        let info = try ImageInfo(bytes: file)
        let shown = try Self.animation(of: file, Self.options(max(info.width, info.height)))
        #expect(info.frames > 1 && shown.frames.count == info.frames)
        #expect(shown.frames[0] != shown.frames[1])
        var still = Self.options(max(info.width, info.height))
        still.animation = .first
        still.format = .fixed(.png)
        let first = try #require(try Thumbnailer(still).thumbnails(of: file).thumbnails.first)
        #expect(try decode(first.bytes).expanded(to: .rgba).distance(to: shown.frames[0]) <= 2)
    }

    // MARK: Limits

    @Test("An animation has all frames, unless their number or duration is limited, which is a note")
    func ends() throws {
        var options = Self.options()
        let many = (0..<100).map { GIF.frame(UInt8($0 % 3), hundredths: 3) }
        #expect(try Self.animation(of: GIF.file(many)).ends.count == 100)
        options.maxFrames = 60
        let result = try Thumbnailer(options).thumbnails(of: GIF.file(many))
        #expect(result.notes == ["only the first 60 of 100 frames are used"])
        #expect(DecodedAnimation(result.thumbnails[0].bytes).ends.count == 60)
        let slow = (0..<20).map { GIF.frame(UInt8($0 % 3), hundredths: 150) }
        #expect(try Self.animation(of: GIF.file(slow)).ends.last == 30_000)
        options.maxMilliseconds = 10_000
        let shortened = try Thumbnailer(options).thumbnails(of: GIF.file(slow))
        #expect(shortened.notes == ["only the first 7 of 20 frames are used"])
        #expect(DecodedAnimation(shortened.thumbnails[0].bytes).ends.last == 10_000)
    }

    @Test("An animation that exceeds the limit of memory stays still, with a note")
    func memory() throws {
        let file = GIF.file([GIF.frame(0), GIF.frame(1)])
        var options = Self.options()
        options.limits.memory = 64 << 20
        let large = try Thumbnailer(options).open(ImageInput(file)).memory
        options.animation = .first
        let small = try Thumbnailer(options).open(ImageInput(file)).memory
        #expect(small < large)
        options.animation = .keep
        options.limits.memory = small
        let result = try Thumbnailer(options).thumbnails(of: file)
        #expect(result.thumbnails[0].format != .webp)
        #expect(result.notes.count == 2 && result.notes[0] == "only the first of 2 frames is used")
        #expect(result.notes[1].hasPrefix("not animated: takes about"))
    }

    @Test("An animation with a frame outside of its canvas stays still, with a note")
    func outside() throws {
        let file = GIF.file([GIF.frame(0), GIF.frame(1, x: 1)])
        let result = try Thumbnailer(Self.options()).thumbnails(of: file)
        #expect(result.thumbnails[0].format != .webp)
        #expect(result.notes.last == "not animated: a frame exceeds the canvas")
    }

    @Test("An animation above the limit of bytes stays still, with a note")
    func bytes() throws {
        let file = GIF.file([GIF.frame(0), GIF.frame(1), GIF.frame(2)])
        var options = Self.options()
        options.isLossless = false
        options.format = .fixed(.jpeg)
        options.maxBytes = 1
        let result = try Thumbnailer(options).thumbnails(of: file)
        #expect(result.thumbnails[0].format == .jpeg)
        #expect(result.notes.contains { $0.hasPrefix("thumbnail 4 not animated: it would have") })
    }

    @Test("Damage to a later frame is damage, and salvaging keeps the frames before it")
    func damage() throws {
        var file = PNG.file(
            frames: 3,
            PNG.control(0) + PNG.still(Self.red) + PNG.control(1) + PNG.data(2, Self.blue) + PNG.control(3)
                + PNG.data(4, Self.green))
        // The last data, whose checksum is then wrong, before the end chunk of twelve bytes.
        file[file.count - 12 - 4 - 8] ^= 1
        #expect(failure(of: file, Self.options())?.description == "corrupt: fdAT: CRC error")
        var options = Self.options()
        options.animation = .first
        #expect(failure(of: file, options) == nil)
        options.animation = .keep
        options.salvages = true
        let result = try Thumbnailer(options).thumbnails(of: file)
        #expect(result.damage?.code == .corrupt)
        #expect(DecodedAnimation(result.thumbnails[0].bytes).ends.count == 2)
    }

    // MARK: Other options

    @Test("Sizes, crops, padding and colours are those of still thumbnails")
    func rendering() throws {
        let file = GIF.file([GIF.frame(0), GIF.frame(2)])
        var options = ThumbnailOptions()
        options.animation = .keep
        options.sizes = [ThumbnailSize(width: 2, height: 2), ThumbnailSize(width: 8, height: 4)]
        options.fit = .pad
        options.background = .black
        let result = try Thumbnailer(options).thumbnails(of: file)
        let shown = result.thumbnails.map { DecodedAnimation($0.bytes).frames }
        #expect(shown.map(\.count) == [2, 2])
        #expect(shown[0][0].width == 2 && shown[1][0].width == 8 && result.thumbnails[1].height == 4)
        #expect(shown[1][1].pixel(0, 0).prefix(3).allSatisfy { $0 < 20 })
        #expect(shown[1][1].pixel(4, 2)[2] > 230)
        options.animation = .first
        let still = try Thumbnailer(options).thumbnails(of: file)
        #expect(still.phash == result.phash && still.color == result.color && still.placeholder == result.placeholder)
    }

    @Test("A still picture is made as without the option")
    func still() throws {
        var options = ThumbnailOptions()
        let file = try SampleImages.file(.jpeg)
        let plain = try Thumbnailer(options).thumbnails(of: file)
        options.animation = .keep
        #expect(try Thumbnailer(options).thumbnails(of: file) == plain)
    }

    @Test("The profile and the kept metadata are written into the animation")
    func metadata() throws {
        let exif = FileBuilder.chunk("eXIf", EXIFBlock.block(orientation: 6))
        let file = PNG.file(
            frames: 2,
            exif + PNG.control(0) + PNG.still(Self.red) + PNG.control(1, side: 2) + PNG.data(2, side: 2, Self.blue))
        let shown = try Self.animation(of: file)
        // The second frame covers the upper left corner of the stored picture, which is the upper right one upright.
        #expect(shown.frames[1].pixel(3, 0) == [0, 0, 255, 255] && shown.frames[1].pixel(0, 0) == [255, 0, 0, 255])
    }
}

@Suite("Canvas of animations", .timeLimit(.minutes(10))) struct AnimationCanvasTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]
    private static let clear: [UInt8] = [0, 0, 0, 0]

    /// Makes a frame with one row of pixels.
    private static func frame(
        _ pixels: [[UInt8]], x: Int = 0, isBlended: Bool = false, then disposal: AnimationFrame.Disposal = .keep
    ) -> AnimationFrame {
        let image = Raster(width: pixels.count, height: 1, layout: .rgba, bytes: pixels.flatMap(\.self))
        return AnimationFrame(image: image, x: x, milliseconds: 100, isBlended: isBlended, disposal: disposal)
    }

    /// Returns the canvas of three pixels after each frame.
    private static func pictures(_ frames: [AnimationFrame]) -> [[UInt8]] {
        var canvas = AnimationCanvas(width: 3, height: 1)
        return frames.map { frame in
            canvas.draw(frame)
            return canvas.picture.bytes
        }
    }

    @Test(
        "A frame stays, is cleared, or is undone before the next one",
        arguments: [
            (AnimationFrame.Disposal.keep, blue), (.clear, clear), (.restore, red),
        ])
    func disposal(_ disposal: AnimationFrame.Disposal, _ remaining: [UInt8]) {
        let pictures = Self.pictures([
            Self.frame([Self.red, Self.red, Self.red]), Self.frame([Self.blue, Self.blue], x: 1, then: disposal),
            Self.frame([Self.red]),
        ])
        #expect(pictures[1] == Self.red + Self.blue + Self.blue)
        #expect(pictures[2] == Self.red + remaining + remaining)
    }

    @Test("Undoing the first frame leaves an empty canvas")
    func first() {
        let pictures = Self.pictures([Self.frame([Self.red], then: .restore), Self.frame([Self.blue], x: 2)])
        #expect(pictures[1] == Self.clear + Self.clear + Self.blue)
    }

    @Test("A frame is blended with the canvas, or overwrites it")
    func blending() {
        let base = Self.frame([Self.red, Self.red, Self.clear])
        let veil: [[UInt8]] = [Self.clear, [0, 0, 255, 128], [0, 0, 255, 128]]
        #expect(
            Self.pictures([base, Self.frame(veil, isBlended: true)])[1] == Self.red + [127, 0, 128, 255] + veil[2])
        #expect(Self.pictures([base, Self.frame(veil)])[1] == veil.flatMap(\.self))
    }

    @Test("Half over half is three quarters opaque, with the upper colour counting twice")
    func halves() {
        let below: [UInt8] = [90, 0, 0, 128]
        let picture = Self.pictures([Self.frame([below]), Self.frame([[0, 90, 0, 128]], isBlended: true)])[1]
        #expect(Array(picture.prefix(4)) == [30, 60, 0, 192])
    }
}
