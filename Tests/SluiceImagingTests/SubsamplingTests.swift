// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Subsampling") struct SubsamplingTests {
    @Test(
        "Colour of any fineness decodes to the picture, in full and made smaller by the decoder",
        arguments: [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2)] as [(Int32, Int32)])
    func decoding(across: Int32, down: Int32) throws {
        let picture = Pictures.landscape(403, 301)
        let file = OddJPEGs.file(picture, across: across, down: down)
        #expect(try Self.sampling(of: file) == [UInt8(across << 4 | down), 0x11, 0x11])
        #expect(try decode(file).distance(to: picture) <= 8)
        for mode in ThumbnailOptions.QualityMode.allCases {
            let made = try ColorTests.thumbnail(file) {
                $0.sizes = [ThumbnailSize(width: 50, height: 50)]
                $0.qualityMode = mode
            }
            let small = try decode(made.file)
            #expect(small.width == 50 && small.distance(to: picture.scaled(to: small.width, small.height)) <= 8)
        }
    }

    @Test(
        "A JPEG keeps colour as finely as asked for",
        arguments: [(.half, 0x22), (.columns, 0x21), (.full, 0x11)] as [(ThumbnailOptions.Subsampling, UInt8)])
    func encoding(subsampling: ThumbnailOptions.Subsampling, factors: UInt8) throws {
        // Every other column is red, the others are blue: what is one colour for two of them is neither.
        let picture = Pictures.make(64, 64, .rgb) { x, _ in x % 2 == 0 ? [220, 30, 30] : [30, 30, 220] }
        let made = try ColorTests.thumbnail(Pictures.file(.png, picture)) {
            $0.format = .jpeg
            $0.quality = 95
            $0.subsampling = subsampling
        }
        #expect(try Self.sampling(of: made.file) == [factors, 0x11, 0x11])
        #expect(try (decode(made.file).distance(to: picture) < 30) == (subsampling == .full))
        let rows = Pictures.make(64, 64, .rgb) { _, y in y % 2 == 0 ? [220, 30, 30] : [30, 30, 220] }
        let madeOfRows = try ColorTests.thumbnail(Pictures.file(.png, rows)) {
            $0.format = .jpeg
            $0.quality = 95
            $0.subsampling = subsampling
        }
        #expect(try (decode(madeOfRows.file).distance(to: rows) < 30) == (subsampling != .half))
        let grey = try ColorTests.thumbnail(Pictures.file(.png, ColorTests.greys)) {
            $0.format = .jpeg
            $0.subsampling = subsampling
        }
        #expect(try Self.sampling(of: grey.file) == [0x11])
    }

    @Test("A JPEG of inks goes through its profile, and through plain reckoning without one")
    func inks() throws {
        let inks = Pictures.make(64, 48, .cmyk) { x, y in
            [UInt8(x * 4), UInt8(y * 5), UInt8(255 - x * 2), UInt8(255 - y * 3)]
        }
        let file = OddJPEGs.file(inks)
        #expect(try ImageInfo(bytes: file).colorModel == .cmyk)
        let stored = try decode(file)
        let plain = try ColorTests.thumbnail(file)
        #expect(try decode(plain.file) == stored.withoutInks && plain.notes.isEmpty)
        for profile in ThumbnailOptions.Profile.allCases {
            let made = try ColorTests.thumbnail(Profiled.file(of: file, inks, .jpeg, MadeProfiles.cmyk)) {
                $0.profile = profile
            }
            let picture = try decode(made.file)
            let truth = MadeProfiles.truth(stored, MadeProfiles.cmyk)
            let worst = try #require(zip(picture.bytes, truth).map { abs(Double($0) - $1) }.max())
            #expect(profile == .strip ? picture == stored.withoutInks : worst <= 2)
            #expect(made.notes.count == (profile == .keep ? 1 : 0))
        }
    }

    /// The sampling factors that a JPEG's frame header tells of each component.
    private static func sampling(of file: [UInt8]) throws -> [UInt8] {
        var window = ByteWindow(PictureBytes(file))
        var segments = JPEGSegments()
        while let segment = try segments.next(in: &window) {
            guard segment.marker == 0xC0 else { continue }
            let body = Array(try window.bytes(segment.body))
            return (0..<Int(body[5])).map { body[7 + $0 * 3] }
        }
        return []
    }
}
