// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

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
