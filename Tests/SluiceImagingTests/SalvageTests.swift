// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Salvage", .timeLimit(.minutes(10))) struct SalvageTests {
    private static let picture = Pictures.landscape(96, 96)
    static let kinds: [(String, [UInt8])] = [
        ("baseline", (try? Pictures.file(.jpeg, picture)) ?? []),
        ("progressive", (try? Pictures.file(.jpeg, picture, progressive: true)) ?? []),
        ("png", (try? Pictures.file(.png, noise)) ?? []),
        ("webp", (try? Pictures.file(.webp, noise)) ?? []),
    ]

    /// A picture that no codec makes a few bytes of, so that half a file is about half the picture.
    private static let noise = Pictures.make(96, 96, .rgb) { x, y in
        (1...3).map { UInt8((x * x * 7 + y * y * 13 * $0 + x * y * 5) % 253) }
    }

    private func salvage(_ file: [UInt8], _ change: (inout ThumbnailOptions) -> Void = { _ in }) throws -> PictureResult
    {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 96, height: 96)]
        options.format = .png
        options.salvages = true
        change(&options)
        return try Thumbnailer(options).thumbnails(of: file)
    }

    @Test("Half a file is half a picture, and is called truncated all the same", arguments: kinds)
    func half(name: String, file: [UInt8]) throws {
        let result = try salvage(Array(file.prefix(file.count * 6 / 10)))
        #expect(result.damage?.code == .truncated && result.thumbnails.count == 1)
        let whole = try decode(salvage(file).thumbnails[0].bytes)
        let made = try decode(result.thumbnails[0].bytes)
        let near = (0..<96).map { x in zip(made.pixel(x, 4), whole.pixel(x, 4)).map { abs($0 - $1) }.max() ?? 0 }
        // A progressive file that is cut has every row, but not yet in full.
        #expect(near.reduce(0, +) / 96 <= (name == "progressive" ? 40 : 2), "\(near)")
        if name != "progressive" { #expect(made.pixel(90, 94) == [128, 128, 128]) }
    }

    @Test("A whole file is the same with and without", arguments: kinds)
    func whole(name: String, file: [UInt8]) throws {
        let plain = try salvage(file) { $0.salvages = false }
        #expect(try salvage(file) == plain && plain.damage == nil)
    }

    @Test("No prefix of a file is ever given out as whole", arguments: TruncationTests.files)
    func prefixes(name: String, file: [UInt8]) throws {
        for count in 1..<file.count {
            for sizes in [[], [ThumbnailSize(width: 8, height: 8)]] {
                let result = try? salvage(Array(file.prefix(count))) { $0.sizes = sizes }
                #expect(result == nil || result?.damage?.code == .truncated, "\(count) of \(file.count) bytes")
            }
        }
    }

    @Test("A broken file is kept as far as it is right, and called corrupt")
    func corrupt() throws {
        var file = try Pictures.file(.png, Self.noise)
        file[file.count / 2] ^= 0x10
        let result = try salvage(file)
        #expect(result.damage?.code == .corrupt)
        #expect(try decode(result.thumbnails[0].bytes).pixel(50, 4) == Self.noise.pixel(50, 4))
    }

    @Test("An interlaced PNG that breaks off after its first passes is there from edge to edge")
    func interlaced() throws {
        let file = Files.png(
            header: Files.header(width: 64, height: 64, colors: 0, interlaced: true),
            rows: [UInt8](repeating: 0, count: 0) + (0..<8).flatMap { _ in [0] + [UInt8](repeating: 200, count: 8) })
        let result = try salvage(file) { $0.sizes = [ThumbnailSize(width: 64, height: 64)] }
        #expect(result.damage != nil)
        let made = try decode(result.thumbnails[0].bytes)
        #expect(made.pixel(0, 0) == [200] && made.pixel(7, 5) == [200] && made.pixel(63, 63) == [200])
    }

    /// Found by fuzzing: the damage behind the pixels was met while the header was read, and forgotten.
    @Test("A WebP whose pixels are whole and whose last chunk is broken is told as corrupt")
    func behindPixels() throws {
        let broken = Array("EXIF".utf8) + UInt32(1 << 30).littleEndianBytes + [0, 0]
        let file = Files.extendedWebP(
            try Pictures.file(.webp, Self.noise), width: 96, height: 96, flags: 0x08, after: broken)
        // Bytes behind what the container claims, so that it is a lie and not a cut.
        let result = try salvage(file + [0, 0, 0, 0])
        #expect(result.damage?.code == .corrupt && result.thumbnails.count == 1)
    }

    /// Found by fuzzing: libpng sees a wrong sum of the unpacked pixels or not, as the pieces fall that it reads.
    @Test("Whether a file is whole does not hang on the wish to salvage it")
    func wrongSum() throws {
        for width in stride(from: 1, to: 400, by: 7) as StrideTo<UInt32> {
            var packed = Files.zlib([0] + [UInt8](repeating: 9, count: Int(width) * 3))
            packed[packed.count - 1] ^= 1
            let file =
                Files.pngSignature + Files.header(width: width, height: 1) + Files.chunk("IDAT", packed)
                + Files.chunk("IEND", [])
            let strict = try? salvage(file) { $0.salvages = false }
            let result = try? salvage(file)
            #expect(strict == nil ? result == nil || result?.damage != nil : result == strict)
        }
    }

    @Test("What is transparent is so where it lacks")
    func transparent() throws {
        let picture = Pictures.make(96, 96, .rgba) { x, y in Self.noise.pixel(x, y).map { UInt8($0) } + [200] }
        let file = try Pictures.file(.png, picture)
        let made = try decode(salvage(Array(file.prefix(file.count / 2))).thumbnails[0].bytes)
        #expect(made.pixel(9, 9)[3] == 200 && made.pixel(90, 94)[3] == 0)
    }

    @Test("Limits stand, and a file without a row of its picture fails as before")
    func limits() throws {
        let bomb = Files.png(header: Files.header(width: 65535, height: 65535), rows: [0])
        #expect(
            failure { () throws(ImagingError) in try Thumbnailer(Self.salvaging).thumbnails(of: bomb) }?.code
                == .tooManyPixels)
        let start = Array(try Pictures.file(.png).prefix(40))
        #expect(failure(of: start, Self.salvaging)?.code == .truncated)
        #expect(failure(of: Array("<html>".utf8), Self.salvaging)?.code == .notAnImage)
    }

    private static var salvaging: ThumbnailOptions {
        var options = ThumbnailOptions()
        options.salvages = true
        return options
    }
}
