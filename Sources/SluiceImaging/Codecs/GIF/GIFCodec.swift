// SPDX-License-Identifier: MIT

internal import CGIF

extension ImageFormat {
    /// GIF, which has at most 256 colours and can be animated.
    public static let gif = ImageFormat(named: "gif")
}

extension Codec {
    static let gif = Codec(
        format: .gif, title: "GIF", mediaType: "image/gif", fileExtensions: ["gif"],
        signatures: ["GIF87a", "GIF89a"].map { ImageSignature((0, Array($0.utf8))) }, decoder: GIFDecoder(),
        linkedLibrary: CodecVersion(name: "giflib", version: "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"),
        makeTestFile: { gifTestFile })

    /// The self-test's picture, which has one colour in each row, with codes of one byte and without compression.
    private static var gifTestFile: [UInt8] {
        var file: [UInt8] = Array("GIF87a".utf8) + [16, 0, 16, 0, 0x86, 0, 0]
        for row in 0..<16 as Range<UInt8> { file += [row * 8, row * 8 + 40, row * 8 + 80] }
        file += [UInt8](repeating: 0, count: 112 * 3)
        file += [0x2C, 0, 0, 0, 0, 16, 0, 16, 0, 0, 7]
        // Each row starts with the code that forgets earlier ones, so that codes never grow.
        for row in 0..<16 as Range<UInt8> { file += [17, 0x80] + [UInt8](repeating: row, count: 16) }
        return file + [1, 0x81, 0, 0x3B]
    }
}
