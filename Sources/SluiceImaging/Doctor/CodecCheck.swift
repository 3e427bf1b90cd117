// SPDX-License-Identifier: MIT

internal import CLCMS

/// The result of a self-test of one codec, which decodes a small image and, if it can, encodes it first.
package struct CodecCheck: Sendable, Hashable {
    package let format: ImageFormat
    /// Whether the codec also encodes.
    package let canEncode: Bool
    /// The failure; `nil` if the codec works.
    package let problem: String?
    /// The Debian package of the library that the codec lacks; `nil` if it has one.
    package let missingPackage: String?
    /// The library that was loaded for the codec; `nil` if it needs none.
    package let loadedLibrary: CodecVersion?

    /// Tests every codec that can read its format; takes a few milliseconds.
    ///
    /// Loads the libraries of all formats; those of restricted ones decode only Sluice's own picture here.
    package static func runAll() -> [CodecCheck] {
        Codecs.all.filter { $0.decoder != nil }.map { CodecCheck($0) }
    }

    init(_ codec: Codec) {
        format = codec.format
        canEncode = codec.encoder != nil
        let isMissing = codec.loader.map { !$0.load() } ?? false
        missingPackage = isMissing ? codec.loader?.package : nil
        loadedLibrary = codec.loader?.library()
        problem = isMissing ? nil : Self.problem(with: codec)
    }

    private static func problem(with codec: Codec) -> String? {
        let original = Codec.testPicture
        do {
            let decoded = try Raster(decoding: ImageInput(codec.makeTestFile?() ?? encoded(in: codec.format)))
            let worst = zip(original.bytes, decoded.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 255
            guard decoded.bytes.count == original.bytes.count else {
                return "a 16x16 image decodes as \(decoded.width)x\(decoded.height)"
            }
            return worst > 24 ? "decoded colours differ by \(worst) (limit 24)" : nil
        } catch {
            return "\(error)"
        }
    }

    private static func encoded(in format: ImageFormat) throws(ImagingError) -> [UInt8] {
        var encoder = ImageEncoder(format)
        encoder.quality = 95
        return try encoder.encode(Codec.testPicture)
    }
}

extension CodecVersion {
    /// All loaded libraries that process images: those of the codecs, and the colour library.
    package static var loaded: [CodecVersion] {
        Codecs.all.compactMap { $0.linkedLibrary ?? $0.loader?.library() }
            + [CodecVersion(name: "lcms2", version: lcms(Int(cmsGetEncodedCMMversion())))]
    }

    /// Formats lcms2's number, for example 2140 as `2.14`.
    private static func lcms(_ number: Int) -> String {
        let minor = number % 1000
        return minor % 10 == 0 ? "\(number / 1000).\(minor / 10)" : "\(number / 1000).\(minor / 10).\(minor % 10)"
    }
}
