// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Hostile profiles", .timeLimit(.minutes(10))) struct HostileProfileTests {
    static let formats = ThumbnailOptions.Format.allCases

    /// A valid profile, and an image that it describes in a format whose reader passes the profile on unchecked.
    struct Source: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let profile: [UInt8]
        let embed: @Sendable ([UInt8]) throws -> [UInt8]
    }

    static let sources = [
        source("Display P3", LCMSProfiles.displayP3, .rgb), source("ProPhoto", LCMSProfiles.proPhoto, .rgba),
        source("made by hand", HandmadeProfiles.rgb(), .rgb), source("grey", LCMSProfiles.grey22, .grey),
        source("CMYK", LCMSProfiles.cmyk, .cmyk),
    ]

    private static func source(_ name: String, _ profile: [UInt8], _ layout: PixelLayout) -> Source {
        let image = SampleImages.make(12, 9, layout) { x, y in
            Array([UInt8(x * 20), UInt8(y * 28), UInt8(x * y * 2), UInt8(255 - x)].prefix(layout.channels))
        }
        return Source(testDescription: name, profile: profile) { profile in
            switch layout {
            case .grey: try FilesWithMetadata.file(image, .jpeg, profile)
            case .cmyk: FilesWithMetadata.file(of: CustomJPEGs.file(image), image, .jpeg, profile)
            default: try FilesWithMetadata.file(image, .webp, profile)
            }
        }
    }

    @Test("A profile that libpng rejects is converted with a note")
    func illuminant() throws {
        // The connection space of cameras such as the DiMAGE 7 has another white than D50.
        var profile = LCMSProfiles.proPhoto
        profile.replaceSubrange(68..<80, with: [0, 0, 0xF3, 0x51, 0, 1, 0, 0, 0, 1, 0x16, 0xCC])
        let file = try FilesWithMetadata.file(ColorTests.chart, .webp, profile)
        let converted = try ColorTests.thumbnail(file)
        let made = try ColorTests.thumbnail(file) { $0.profile = .keep }
        #expect(converted.notes.isEmpty)
        if made.notes.isEmpty {
            // Newer versions of libpng accept the profile.
            #expect(try ProfileOptionTests.profile(of: made.file) == profile)
        } else {
            #expect(made.file == converted.file)
            #expect(
                made.notes == ["colours converted to sRGB: the thumbnail's format does not allow their profile"])
        }
        for format in [ThumbnailOptions.Format.jpeg, .webp, .auto] {
            let other = try ColorTests.thumbnail(file) {
                $0.format = format
                $0.profile = .keep
            }
            #expect(try ProfileOptionTests.profile(of: other.file) == profile && other.notes.isEmpty)
        }
    }

    @Test("Every mutant of a profile is kept, or gives a note", arguments: sources, formats)
    func mutants(source: Source, format: ThumbnailOptions.Format) throws {
        for (number, mutant) in Self.mutants(of: source.profile).enumerated() {
            let file = try source.embed(mutant)
            let options = Self.options(number, format)
            let result = try Thumbnailer(options).thumbnails(of: file)
            for thumbnail in result.thumbnails {
                let info = try ImageInfo(bytes: thumbnail.bytes)
                #expect(info.width == thumbnail.width && info.height == thumbnail.height)
                guard options.profile == .keep else { continue }
                let kept = try ProfileOptionTests.profile(of: thumbnail.bytes)
                #expect(kept != nil || !result.notes.isEmpty, "mutant \(number) disappears")
                // A mutant may declare a smaller size, and then the rest does not belong to it.
                if let kept { #expect(mutant.starts(with: kept), "mutant \(number) is changed") }
            }
        }
    }

    /// Returns the profile with one byte of its header or tag table changed.
    private static func mutants(of profile: [UInt8]) -> [[UInt8]] {
        let tags = Int(profile[128..<132].reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
        return (0..<min(profile.count, 132 + tags * 12)).map { offset in
            var mutant = profile
            mutant[offset] = offset % 3 == 0 ? 0xFF : offset % 3 == 1 ? mutant[offset] ^ 1 : mutant[offset] &+ 0x40
            return mutant
        }
    }

    /// Returns options that differ from mutant to mutant, so that all settings of encoders meet hostile profiles.
    private static func options(_ number: Int, _ format: ThumbnailOptions.Format) -> ThumbnailOptions {
        var options = ThumbnailOptions()
        options.format = format
        options.sizes = [ThumbnailSize(width: 8, height: 8), ThumbnailSize(width: nil, height: 5)]
        options.profile = number % 8 == 7 ? .srgb : .keep
        options.quality = [1, 50, 80, 100][number % 4]
        options.isProgressive = number % 3 == 0
        options.isLossless = number % 5 == 0
        options.isLinear = number % 7 == 0
        options.subsampling = ThumbnailOptions.Subsampling.allCases[number % 3]
        options.fit = ThumbnailOptions.Fit.allCases[number % 4]
        options.background = number % 2 == 0 ? .white : BackgroundColor(red: 200, green: 10, blue: 10)
        options.maxBytes = number % 11 == 0 ? 300 : nil
        options.keptMetadata = number % 6 == 0 ? Set(ThumbnailOptions.Metadata.allCases) : []
        return options
    }

    @Test("An image whose pixels exceed one part of a WebP is encoded in several")
    func parts() throws {
        let (width, height) = (4000, 4000)
        var state: UInt64 = 1
        let noise = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 3 + 8) { buffer, filled in
            while filled < width * height * 3 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                unsafe UnsafeMutableRawPointer(buffer.baseAddress!).storeBytes(
                    of: state, toByteOffset: filled, as: UInt64.self)
                filled += 8
            }
        }
        var encoder = ImageEncoder(.webp)
        encoder.quality = 100
        let raster = Raster(width: width, height: height, layout: .rgb, bytes: Array(noise.prefix(width * height * 3)))
        let file = try encoder.encode(raster)
        #expect(file.count > 16 << 20)
        let info = try ImageInfo(bytes: file)
        #expect(info.width == width && info.height == height)
    }
}
