// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Truncation", .timeLimit(.minutes(10))) struct TruncationTests {
    static let files: [(String, [UInt8])] = [
        ("baseline", (try? Pictures.file(.jpeg)) ?? []),
        ("progressive", (try? Pictures.file(.jpeg, progressive: true)) ?? []),
        ("png", (try? Pictures.file(.png)) ?? []),
        ("interlaced", Interlaced.file),
        ("webp", (try? Pictures.file(.webp)) ?? []),
        ("webp with alpha", (try? Pictures.file(.webp, Pictures.plain(16, 16, .rgba, [9, 99, 199, 77]))) ?? []),
    ]

    @Test("No prefix of a file is ever a picture, and each is called truncated", arguments: files)
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

    @Test("A flipped bit within a PNG is corrupt")
    func flipped() throws {
        var file = try Pictures.file(.png)
        file[file.count / 2] ^= 0x10
        #expect(failure(of: file)?.code == .corrupt)
    }

    @Test("A JPEG whose end marker comes too early is corrupt")
    func earlyEnd() throws {
        let file = try Pictures.file(.jpeg, Pictures.landscape(64, 64))
        #expect(failure(of: Array(file.prefix(file.count * 2 / 3)) + [0xFF, 0xD9])?.code == .corrupt)
    }

    @Test("What follows a file's end does no harm", arguments: [ImageFormat.jpeg, .png, .webp])
    func trailing(format: ImageFormat) throws {
        #expect(failure(of: try Pictures.file(format) + Array("<html>".utf8)) == nil)
    }
}

/// An interlaced PNG, which the encoder does not write.
enum Interlaced {
    /// A picture of 5 x 5 pixels whose grey is ten times the row and the column beside.
    static let file = Files.png(
        header: Files.header(width: 5, height: 5, colors: 0, interlaced: true), rows: passes.flatMap(rows))

    private static let passes: [(x: Int, y: Int, dx: Int, dy: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    private static func rows(_ pass: (x: Int, y: Int, dx: Int, dy: Int)) -> [UInt8] {
        stride(from: pass.y, to: 5, by: pass.dy).flatMap { y in
            [0] + stride(from: pass.x, to: 5, by: pass.dx).map { UInt8(y * 10 + $0) }
        }
    }
}
