// SPDX-License-Identifier: MIT

extension ImageFormat {
    /// BMP, the bitmaps of Windows and OS/2.
    public static let bmp = ImageFormat(named: "bmp")
}

extension Codec {
    static let bmp = Codec(
        format: .bmp, title: "BMP", mediaType: "image/bmp", fileExtensions: ["bmp"],
        // OS/2 has the hot spot of a pointer in the fields that Windows reserves.
        signatures: [
            ImageSignature((0, Array("BM".utf8)), (6, [0, 0, 0, 0])),
            ImageSignature((0, Array("BM".utf8)), (14, [12, 0, 0, 0]), (22, [1, 0])),
        ], decoder: BMPDecoder(),
        statedSize: sizeOfBitmap, makeTestFile: { bmpTestFile })

    /// The self-test's picture with 24 bits per pixel, from top to bottom.
    private static var bmpTestFile: [UInt8] {
        let header = [40, 16, -16, 24 << 16 | 1, 0, 0, 0, 0, 0, 0].flatMap(little)
        let pixels = stride(from: 0, to: testPicture.bytes.count, by: 3).flatMap {
            testPicture.bytes[$0..<$0 + 3].reversed()
        }
        return Array("BM".utf8) + [54 + pixels.count, 0, 54].flatMap(little) + header + pixels
    }

    private static func little(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
