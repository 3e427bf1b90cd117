// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

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
