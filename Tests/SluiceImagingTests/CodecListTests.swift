// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("The list of codecs", .timeLimit(.minutes(10))) struct CodecListTests {
    @Test("Every format has its own name, media type and file name extensions")
    func distinct() {
        let codecs = Codecs.all
        #expect(Set(codecs.map(\.format)).count == codecs.count)
        #expect(Set(codecs.map(\.title)).count == codecs.count)
        #expect(Set(codecs.map(\.mediaType)).count == codecs.count)
        let fileExtensions = codecs.flatMap(\.fileExtensions)
        #expect(Set(fileExtensions).count == fileExtensions.count)
        for codec in codecs {
            let types = codec.decoder == nil ? ["image/", "video/", "application/pdf"] : ["image/"]
            #expect(types.contains { codec.mediaType.hasPrefix($0) }, "\(codec.format)")
            #expect(!codec.fileExtensions.isEmpty && !codec.signatures.isEmpty, "\(codec.format)")
            #expect(codec.fileExtensions.allSatisfy { $0 == $0.lowercased() && !$0.contains(".") }, "\(codec.format)")
            #expect(ImageFormat(rawValue: codec.format.name) == codec.format)
            for fileExtension in codec.fileExtensions {
                #expect(ImageFormat(fileExtension: fileExtension) == codec.format)
            }
        }
        #expect(ImageFormat(rawValue: "auto") == nil)
    }

    @Test("Every file that Sluice writes is detected as its format", arguments: ImageFormat.encodable)
    func detected(format: ImageFormat) throws {
        let file = try ImageEncoder(format).encode(Codec.testPicture)
        #expect(ImageFormat(sniffing: file) == format)
        #expect(ImageFormat(sniffing: Array(file.prefix(ImageSignature.maxBytes))) == format)
    }

    @Test("Every format that Sluice writes has a fixture, so that the tests of metadata cover it")
    func fixtures() {
        #expect(FormatFixture.all.map(\.format) == ImageFormat.encodable)
    }

    @Test("A format without a decoder is unsupported, and the message names it")
    func refused() {
        for format in ImageFormat.allCases where !format.isDecodable {
            #expect(throws: ImagingError(.unsupported, "Sluice cannot read \(format.title)")) {
                try Codecs.decoder(for: format)
            }
        }
    }

    @Test("Thumbnails have every format that Sluice can write")
    func thumbnails() throws {
        #expect(ThumbnailOptions.Format.allCases == ImageFormat.encodable.map { .fixed($0) } + [.auto])
        for choice in ThumbnailOptions.Format.allCases {
            #expect(ThumbnailOptions.Format(rawValue: choice.rawValue) == choice)
            #expect(Mirror(reflecting: choice).children.isEmpty && "\(choice)" == choice.rawValue)
        }
        #expect(ThumbnailOptions.Format(rawValue: "bmp") == nil)
    }

    @Test("The self-test covers every codec, also one that cannot write")
    func selfTest() throws {
        #expect(CodecCheck.runAll().map(\.format) == ImageFormat.decodable)
        for codec in Codecs.all where codec.decoder != nil {
            #expect(codec.encoder != nil || codec.makeTestFile != nil, "\(codec.format) has nothing to decode")
        }
        var readOnly = Codec.png
        readOnly.encoder = nil
        let file = try ImageEncoder(.png).encode(Codec.testPicture)
        readOnly.makeTestFile = { file }
        #expect(CodecCheck(readOnly).problem == nil)
        #expect(!CodecCheck(readOnly).canEncode)
        let white = try ImageEncoder(.png).encode(
            Raster(width: 16, height: 16, layout: .rgb, bytes: [UInt8](repeating: 255, count: 768)))
        readOnly.makeTestFile = { white }
        #expect(CodecCheck(readOnly).problem?.contains("colours differ") == true)
    }
}
