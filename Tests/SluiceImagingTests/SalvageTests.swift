// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Salvage", .timeLimit(.minutes(10))) struct SalvageTests {
    private static let image = SampleImages.landscape(96, 96)
    static let kinds: [(String, [UInt8])] = [
        ("baseline", (try? SampleImages.file(.jpeg, image)) ?? []),
        ("progressive", (try? SampleImages.file(.jpeg, image, progressive: true)) ?? []),
        ("png", (try? SampleImages.file(.png, noise)) ?? []),
        ("webp", (try? SampleImages.file(.webp, noise)) ?? []),
    ]

    /// An image that no codec compresses well, so that half of its file is about half of the image.
    private static let noise = SampleImages.make(96, 96, .rgb) { x, y in
        (1...3).map { UInt8((x * x * 7 + y * y * 13 * $0 + x * y * 5) % 253) }
    }

    private func salvage(_ file: [UInt8], _ change: (inout ThumbnailOptions) -> Void = { _ in }) throws
        -> ThumbnailResult
    {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 96, height: 96)]
        options.format = .png
        options.salvages = true
        change(&options)
        return try Thumbnailer(options).thumbnails(of: file)
    }

    @Test("Half a file gives half the image and is reported as truncated", arguments: kinds)
    func half(name: String, file: [UInt8]) throws {
        let result = try salvage(Array(file.prefix(file.count * 6 / 10)))
        #expect(result.damage?.code == .truncated && result.thumbnails.count == 1)
        let whole = try decode(salvage(file).thumbnails[0].bytes)
        let made = try decode(result.thumbnails[0].bytes)
        let near = (0..<96).map { x in zip(made.pixel(x, 4), whole.pixel(x, 4)).map { abs($0 - $1) }.max() ?? 0 }
        // A truncated progressive file has every row, but not in full detail.
        #expect(near.reduce(0, +) / 96 <= (name == "progressive" ? 40 : 2), "\(near)")
        if name != "progressive" { #expect(made.pixel(90, 94) == [128, 128, 128]) }
    }

    @Test("An intact file gives the same result with and without salvaging", arguments: kinds)
    func whole(name: String, file: [UInt8]) throws {
        let plain = try salvage(file) { $0.salvages = false }
        #expect(try salvage(file) == plain && plain.damage == nil)
    }

    @Test("No prefix of a file is reported as intact", arguments: TruncationTests.files)
    func prefixes(name: String, file: [UInt8]) throws {
        for count in 1..<file.count {
            for sizes in [[], [ThumbnailSize(width: 8, height: 8)]] {
                let result = try? salvage(Array(file.prefix(count))) { $0.sizes = sizes }
                #expect(result == nil || result?.damage?.code == .truncated, "\(count) of \(file.count) bytes")
            }
        }
    }

    @Test("A corrupt file is decoded up to the damage and reported as corrupt")
    func corrupt() throws {
        var file = try SampleImages.file(.png, Self.noise)
        file[file.count / 2] ^= 0x10
        let result = try salvage(file)
        #expect(result.damage?.code == .corrupt)
        #expect(try decode(result.thumbnails[0].bytes).pixel(50, 4) == Self.noise.pixel(50, 4))
    }

    @Test("A truncated interlaced PNG covers the whole image after its first passes")
    func interlaced() throws {
        let file = FileBuilder.png(
            header: FileBuilder.header(width: 64, height: 64, colors: 0, interlaced: true),
            rows: [UInt8](repeating: 0, count: 0) + (0..<8).flatMap { _ in [0] + [UInt8](repeating: 200, count: 8) })
        let result = try salvage(file) { $0.sizes = [ThumbnailSize(width: 64, height: 64)] }
        #expect(result.damage != nil)
        let made = try decode(result.thumbnails[0].bytes)
        #expect(made.pixel(0, 0) == [200] && made.pixel(7, 5) == [200] && made.pixel(63, 63) == [200])
    }

    /// Found by fuzzing: damage after the pixels was detected while reading the header and then forgotten.
    @Test("A WebP with intact pixels and an invalid last chunk is reported as corrupt")
    func behindPixels() throws {
        let broken = Array("EXIF".utf8) + UInt32(1 << 30).littleEndianBytes + [0, 0]
        let file = FileBuilder.extendedWebP(
            try SampleImages.file(.webp, Self.noise), width: 96, height: 96, flags: 0x08, after: broken)
        // The trailing bytes make the container's size wrong, so that the file is not merely truncated.
        let result = try salvage(file + [0, 0, 0, 0])
        #expect(result.damage?.code == .corrupt && result.thumbnails.count == 1)
    }

    /// Found by fuzzing: whether libpng detects a wrong checksum of the pixels depends on how its input is split.
    @Test("Whether a file is intact does not depend on salvaging")
    func wrongSum() throws {
        for width in stride(from: 1, to: 400, by: 7) as StrideTo<UInt32> {
            var packed = FileBuilder.zlib([0] + [UInt8](repeating: 9, count: Int(width) * 3))
            packed[packed.count - 1] ^= 1
            let file =
                FileBuilder.pngSignature + FileBuilder.header(width: width, height: 1)
                + FileBuilder.chunk("IDAT", packed)
                + FileBuilder.chunk("IEND", [])
            let strict = try? salvage(file) { $0.salvages = false }
            let result = try? salvage(file)
            #expect(strict == nil ? result == nil || result?.damage != nil : result == strict)
        }
    }

    @Test("Missing rows of a transparent image are transparent")
    func transparent() throws {
        let image = SampleImages.make(96, 96, .rgba) { x, y in Self.noise.pixel(x, y).map { UInt8($0) } + [200] }
        let file = try SampleImages.file(.png, image)
        let made = try decode(salvage(Array(file.prefix(file.count / 2))).thumbnails[0].bytes)
        #expect(made.pixel(9, 9)[3] == 200 && made.pixel(90, 94)[3] == 0)
    }

    @Test("Limits still apply, and a file without any row fails as before")
    func limits() throws {
        let bomb = FileBuilder.png(header: FileBuilder.header(width: 65535, height: 65535), rows: [0])
        #expect(
            failure { () throws(ImagingError) in try Thumbnailer(Self.salvaging).thumbnails(of: bomb) }?.code
                == .tooManyPixels)
        let start = Array(try SampleImages.file(.png).prefix(40))
        #expect(failure(of: start, Self.salvaging)?.code == .truncated)
        #expect(failure(of: Array("<html>".utf8), Self.salvaging)?.code == .notAnImage)
    }

    private static var salvaging: ThumbnailOptions {
        var options = ThumbnailOptions()
        options.salvages = true
        return options
    }
}

@Suite("Truncation", .timeLimit(.minutes(10))) struct TruncationTests {
    static let files: [(String, [UInt8])] = [
        ("baseline", (try? SampleImages.file(.jpeg)) ?? []),
        ("progressive", (try? SampleImages.file(.jpeg, progressive: true)) ?? []),
        ("png", (try? SampleImages.file(.png)) ?? []),
        ("interlaced", InterlacedPNG.file),
        ("webp", (try? SampleImages.file(.webp)) ?? []),
        (
            "webp with alpha",
            (try? SampleImages.file(.webp, SampleImages.plain(16, 16, .rgba, [9, 99, 199, 77]))) ?? []
        ),
    ]

    @Test("Every proper prefix of a file is reported as truncated", arguments: files)
    func prefixes(name: String, file: [UInt8]) {
        #expect(failure(of: file) == nil)
        var checkOnly = ThumbnailOptions()
        checkOnly.sizes = []
        #expect(failure(of: file, checkOnly) == nil)
        for count in 1..<file.count {
            let prefix = Array(file.prefix(count))
            let expected: ImagingError.Code = .truncated
            #expect(failure(of: prefix)?.code == expected, "\(count) of \(file.count) bytes")
            #expect(failure(of: prefix, checkOnly)?.code == expected, "\(count) of \(file.count) bytes, unread")
        }
    }

    @Test("A flipped bit in a PNG makes it corrupt")
    func flipped() throws {
        var file = try SampleImages.file(.png)
        file[file.count / 2] ^= 0x10
        #expect(failure(of: file)?.code == .corrupt)
    }

    @Test("A JPEG with an early end marker is corrupt")
    func earlyEnd() throws {
        let file = try SampleImages.file(.jpeg, SampleImages.landscape(64, 64))
        #expect(failure(of: Array(file.prefix(file.count * 2 / 3)) + [0xFF, 0xD9])?.code == .corrupt)
    }

    @Test("Trailing bytes after a file's end do no harm", arguments: ImageFormat.encodable)
    func trailing(format: ImageFormat) throws {
        #expect(failure(of: try SampleImages.file(format) + Array("<html>".utf8)) == nil)
    }
}

@Suite("Missing end markers", .timeLimit(.minutes(10))) struct MissingEndTests {
    /// A file, and the number of bytes of its end marker.
    static let files: [(String, file: [UInt8], markerBytes: Int)] = [
        ("baseline", (try? SampleImages.file(.jpeg)) ?? [], 2),
        ("grey", (try? SampleImages.file(.jpeg, SampleImages.plain(20, 20, .grey, [90]))) ?? [], 2),
        ("progressive", (try? SampleImages.file(.jpeg, progressive: true)) ?? [], 2),
        ("png", (try? SampleImages.file(.png)) ?? [], 12),
        ("interlaced", InterlacedPNG.file, 12),
        ("webp", (try? SampleImages.file(.webp)) ?? [], 0),
    ]

    static let accepting: ThumbnailOptions = {
        var options = ThumbnailOptions()
        options.acceptsMissingEnd = true
        options.format = .png
        return options
    }()

    @Test("A file without a part of its end marker gives the same thumbnail, with a note", arguments: files)
    func accepted(name: String, file: [UInt8], markerBytes: Int) throws {
        let whole = try Thumbnailer(Self.accepting).thumbnails(of: file)
        for count in 0..<markerBytes {
            let cut = Array(file.dropLast(markerBytes - count))
            let result = try Thumbnailer(Self.accepting).thumbnails(of: cut)
            #expect(result.thumbnails == whole.thumbnails && result.damage == nil)
            #expect(result.notes.count == 1 && result.notes[0].hasSuffix("but all pixels"), "\(result.notes)")
            #expect(failure(of: cut)?.code == .truncated)
            var salvaging = Self.accepting
            salvaging.salvages = true
            #expect(try Thumbnailer(salvaging).thumbnails(of: cut) == result)
        }
    }

    @Test("Every shorter prefix is truncated", arguments: files)
    func truncated(name: String, file: [UInt8], markerBytes: Int) {
        for count in 1..<file.count - markerBytes {
            let prefix = Array(file.prefix(count))
            #expect(failure(of: prefix, Self.accepting)?.code == .truncated, "\(count) of \(file.count) bytes")
        }
    }

    @Test("A JPEG whose end is overwritten with zeros is truncated", arguments: [false, true])
    func zeros(progressive: Bool) throws {
        let file = try SampleImages.file(.jpeg, SampleImages.landscape(96, 64), progressive: progressive)
        for kept in stride(from: file.count / 2, to: file.count - 2, by: 7) {
            let padded = Array(file.prefix(kept)) + [UInt8](repeating: 0, count: file.count - kept)
            #expect(failure(of: padded, Self.accepting)?.code == .truncated, "\(kept) of \(file.count) bytes")
        }
    }

    @Test("Without sizes the pixels are not checked, so a missing end marker is truncated")
    func unchecked() throws {
        var options = Self.accepting
        options.sizes = []
        let file = Array(try SampleImages.file(.jpeg).dropLast(2))
        #expect(failure(of: file, options)?.code == .truncated)
        let image = try Thumbnailer(options).open(ImageInput(file))
        let error = ImagingError(.truncated, "")
        #expect(try Thumbnailer(options).mayLackOnlyItsEnd(image, because: error))
        #expect(try !Thumbnailer(options).mayLackOnlyItsEnd(image, because: ImagingError(.corrupt, "")))
        let half = try Thumbnailer(options).open(ImageInput(Array(try SampleImages.file(.png).dropLast(20))))
        #expect(try !Thumbnailer(options).mayLackOnlyItsEnd(half, because: error))
    }
}
