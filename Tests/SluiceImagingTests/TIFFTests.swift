// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("TIFF", .timeLimit(.minutes(10))) struct TIFFTests {
    private typealias Page = TIFFBuilder.Page

    /// Whether libtiff is on this machine.
    private static let isReadable = Codec.tiff.loader?.load() == true

    /// Returns the colour in the middle of a thumbnail with a width.
    private static func color(of file: [UInt8], width: Int) throws -> [UInt8] {
        var options = ThumbnailOptions.allowingAll
        options.sizes = [ThumbnailSize(width: width, height: nil)]
        options.format = .png
        let result = try Thumbnailer(options).thumbnails(of: file)
        let thumbnail = try decode(result.thumbnails[0].bytes).expanded(to: .rgba)
        let middle = (thumbnail.height / 2 * thumbnail.width + thumbnail.width / 2) * 4
        return Array(thumbnail.bytes[middle..<middle + 4])
    }

    @Test("The header tells size, depth, colours, alpha and orientation, without the library")
    func headers() throws {
        let rgb = try ImageInfo(bytes: TIFFBuilder.file(Page(8, 6, pixel: [1, 2, 3], tags: TIFFBuilder.rgb)))
        #expect(rgb.width == 8 && rgb.height == 6 && rgb.bitDepth == 8 && rgb.colorModel == .rgb && !rgb.hasAlpha)
        var tags = TIFFBuilder.grey
        tags[258] = [16, 16]
        tags[277] = [2]
        tags[338] = [2]
        tags[274] = [6]
        let deep = try ImageInfo(bytes: TIFFBuilder.file(Page(8, 6, pixel: [1, 2, 3, 4], tags: tags)))
        #expect(deep.bitDepth == 16 && deep.colorModel == .grey && deep.hasAlpha && deep.orientation == 6)
        #expect(try ImageInfo(bytes: ForeignFileTests.file("bigtiff.tiff")).hasAlpha)
    }

    @Test("The smallest copy that suffices makes the thumbnail", .enabled(if: isReadable))
    func pyramid() throws {
        var reduced = TIFFBuilder.rgb
        reduced[254] = [1]
        let file = TIFFBuilder.file(
            Page(512, 256, pixel: [200, 0, 0], tags: TIFFBuilder.rgb),
            Page(256, 128, pixel: [0, 200, 0], tags: reduced), Page(128, 64, pixel: [0, 0, 200], tags: reduced),
            // Copies of other proportions and pages of other pictures never do.
            Page(100, 64, pixel: [0, 0, 0], tags: reduced), Page(96, 48, pixel: [9, 9, 9], tags: TIFFBuilder.rgb))
        #expect(try Self.color(of: file, width: 16) == [0, 0, 200, 255])
        #expect(try Self.color(of: file, width: 100) == [0, 200, 0, 255])
        #expect(try Self.color(of: file, width: 512) == [200, 0, 0, 255])
        let result = try Thumbnailer(.allowingAll).thumbnails(of: file)
        #expect(result.notes == ["only the first of 2 pages is used"])
    }

    @Test("A page that is a reduced copy or a mask is not the picture", .enabled(if: isReadable), arguments: [1, 4])
    func firstPage(kind: Int) throws {
        var small = TIFFBuilder.rgb
        small[254] = [kind]
        let file = TIFFBuilder.file(
            Page(8, 8, pixel: [0, 0, 0], tags: small), Page(64, 32, pixel: [200, 0, 0], tags: TIFFBuilder.rgb))
        #expect(try Self.color(of: file, width: 64) == [200, 0, 0, 255])
    }

    private static let kinds: [(name: String, tags: [Int: [Int]], pixel: [UInt8], expected: [UInt8])] = [
        ("white is zero", [258: [8], 262: [0]], [55], [200, 200, 200, 255]),
        ("32 bits", [258: [32], 262: [1]], [0, 0, 0, 200], [200, 200, 200, 255]),
        ("CMYK", [258: [8, 8, 8, 8], 262: [5], 277: [4]], [55, 255, 255, 0], [200, 0, 0, 255]),
        ("straight alpha", [258: [8, 8, 8, 8], 262: [2], 277: [4], 338: [2]], [200, 0, 0, 51], [200, 0, 0, 51]),
        ("premultiplied", [258: [8, 8, 8, 8], 262: [2], 277: [4], 338: [1]], [40, 0, 0, 51], [200, 0, 0, 51]),
        (
            "an unspecified sample", [258: [8, 8, 8, 8], 262: [2], 277: [4], 338: [0]], [200, 0, 0, 51],
            [200, 0, 0, 255]
        ),
        ("grey with alpha", [258: [8, 8], 262: [1], 277: [2], 338: [2]], [200, 51], [200, 200, 200, 51]),
        (
            "CMYK with alpha", [258: [8, 8, 8, 8, 8], 262: [5], 277: [5], 338: [2]], [55, 255, 255, 0, 51],
            [200, 0, 0, 51]
        ),
        (
            "a palette with alpha",
            [258: [8, 8], 262: [3], 277: [2], 338: [2], 320: (0..<768).map { $0 < 256 ? $0 << 8 : 0 }],
            [200, 51], [200, 0, 0, 51]
        ),
        ("no lengths of strips", [258: [8, 8, 8], 262: [2], 277: [3], 279: []], [200, 0, 0], [200, 0, 0, 255]),
        ("no statement of colours", [258: [8, 8, 8], 277: [3]], [200, 0, 0], [200, 0, 0, 255]),
    ]

    @Test("Each kind of pixel has its colours", .enabled(if: isReadable), arguments: kinds.indices)
    func colors(index: Int) throws {
        let kind = Self.kinds[index]
        let file = TIFFBuilder.file(Page(16, 16, pixel: kind.pixel, tags: kind.tags))
        let color = try Self.color(of: file, width: 16)
        #expect(zip(color, kind.expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(kind.name): \(color)")
    }

    @Test("Pixels that Sluice does not show are unsupported, and the text says why")
    func refused() throws {
        let refusals: [([Int: [Int]], String)] = [
            ([258: [32], 262: [1], 339: [3]], "TIFF with floating-point samples"),
            ([258: [8], 262: [1], 339: [2]], "TIFF with signed samples"),
            ([258: [8], 262: [1], 259: [34661]], "TIFF with compression 34661"),
            ([258: [64], 262: [1]], "TIFF with 64 bits per sample"),
            ([258: [8, 8], 262: [5], 277: [2]], "TIFF with 2 special inks"),
            ([258: [16], 262: [3]], "TIFF with a palette of 16 bits"),
        ]
        for (tags, text) in refusals {
            let file = TIFFBuilder.file(Page(8, 8, pixel: [1, 2, 3, 4, 5, 6, 7, 8], tags: tags))
            let refusal = failure(of: file, .allowingAll)
            #expect(refusal?.code == .unsupported && refusal?.detail == text, "\(String(describing: refusal))")
        }
        // A strip with a table and the frame of a lossless JPEG.
        let strip: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC4, 0, 3, 0, 0xFF, 0xC3, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        var lossless = Page(8, 8, pixel: [0], tags: TIFFBuilder.grey.merging([259: [7]]) { $1 })
        lossless.pixels = strip
        let refusal = failure(of: TIFFBuilder.file(lossless), .allowingAll)
        #expect(refusal?.code == .unsupported && refusal?.detail == "TIFF with a JPEG of process 3")
        let file = TIFFBuilder.file(Page(8, 8, pixel: [1, 2, 3], tags: TIFFBuilder.rgb))
        #expect(failure(of: file)?.detail == "TIFF is read only if it is allowed")
    }

    @Test("Damaged structure is an error, and the rows before damage can be salvaged", .enabled(if: isReadable))
    func damage() throws {
        let whole = TIFFBuilder.file(Page(8, 8, pixel: [1, 2, 3], tags: TIFFBuilder.rgb))
        for count in 1..<whole.count {
            #expect(failure(of: Array(whole.prefix(count)), .allowingAll)?.code == .truncated, "\(count)")
        }
        var lacking = TIFFBuilder.rgb
        lacking[278] = [4]
        let short = TIFFBuilder.file(Page(8, 8, pixel: [1, 2, 3], tags: lacking))
        #expect(failure(of: short, .allowingAll)?.code == .corrupt)
        var options = ThumbnailOptions.allowingAll
        options.salvages = true
        #expect(try Thumbnailer(options).thumbnails(of: short).damage?.code == .corrupt)
        // A chain of directories that leads back, and one that leads out of the file.
        var loop = whole
        loop.replaceSubrange(loop.count - 4..<loop.count, with: loop[4..<8])
        #expect(failure(of: loop, .allowingAll) == nil)
        loop.replaceSubrange(loop.count - 4..<loop.count, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(failure(of: loop, .allowingAll)?.code == .truncated)
        // A strip of more rows than memory has.
        let huge = TIFFBuilder.file(Page(8, 8, pixel: [1, 2, 3], tags: TIFFBuilder.rgb))
        #expect(try ImageHeader(of: ImageInput(huge)).wholeImageBytes < 10_000)
    }
}
