// SPDX-License-Identifier: MIT

import SluiceEngine
import SluiceImaging
import SluiceModel
import Testing

@testable import Sluice

/// Compares everything that lists formats outside the codecs with the list of codecs.
@Suite("Lists of formats", .timeLimit(.minutes(10))) struct StoredFormatTests {
    @Test("The table of stored formats matches the codecs")
    func table() {
        let formats = ImageFormat.allCases.filter { $0.isDecodable || ImageFormat.encodable.contains($0) }
        #expect(StoredFormat.all.map(\.name) == formats.map(\.name))
        #expect(StoredFormat.all.map(\.fileExtension) == formats.map(\.fileExtension))
        #expect(StoredFormat.all.map(\.mediaType) == formats.map(\.mediaType))
    }

    @Test("Each stored format has its own letter in the gallery's index")
    func letters() {
        let letters = StoredFormat.all.map(\.indexLetter) + [StoredFormat.otherLetter]
        #expect(Set(letters).count == letters.count)
        #expect(letters.allSatisfy { ("a"..."z").contains($0) })
    }

    @Test(
        "Files of every picture's format except SVG are served with their media type", arguments: ImageFormat.allCases)
    func serving(format: ImageFormat) {
        let expected = format.name == "svg" || !format.isPicture ? "application/octet-stream" : format.mediaType
        for fileExtension in format.fileExtensions {
            #expect(MediaType(ofFile: "originals/1.\(fileExtension)").name == expected)
        }
    }

    @Test("Adoption recognises the extensions of every format", arguments: ImageFormat.allCases)
    func adoption(format: ImageFormat) {
        for fileExtension in format.fileExtensions {
            #expect(LikelyFileNames.stem("a.b.\(fileExtension.uppercased())") == "a.b")
        }
        #expect(LikelyFileNames.stem("a.txt") == "a.txt")
    }

    @Test("The doctor tests every codec and lists every library")
    func doctor() {
        #expect(CodecChecks.run().map(\.name) == ImageFormat.decodable.map(\.name))
        let libraries = Version.libraries.map(\.name)
        for codec in CodecVersion.loaded { #expect(libraries.contains(codec.name)) }
        for name in ["libavif", "libcurl", "OpenSSL", "SQLite", "libxml2", "libmicrohttpd"] {
            #expect(libraries.contains(name), "\(name)")
        }
    }

    @Test("Thumbnails of earlier versions keep the fingerprint of their format")
    func fingerprints() {
        var options = ThumbnailOptions()
        let stored: [(ThumbnailOptions.Format, String)] = [
            (.auto, "e6cbae592726f0c0"), (.jpeg, "2f8fe3f10c7918c1"), (.png, "f1a81d965c06ee30"),
            (.webp, "91cb0195cd3c6e6d"),
        ]
        for (format, fingerprint) in stored {
            options.format = format
            #expect(options.fingerprint == fingerprint, "\(format)")
        }
    }
}
