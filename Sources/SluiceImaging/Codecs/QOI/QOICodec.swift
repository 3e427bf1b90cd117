// SPDX-License-Identifier: MIT

extension ImageFormat {
    /// QOI, the "quite OK image format", which is lossless and simple.
    public static let qoi = ImageFormat(named: "qoi")
}

extension Codec {
    static let qoi = Codec(
        format: .qoi, title: "QOI", mediaType: "image/qoi", fileExtensions: ["qoi"],
        signatures: [ImageSignature((0, Array("qoif".utf8)))], decoder: QOIDecoder(), makeTestFile: { qoiTestFile })

    /// The self-test's picture with each pixel by itself.
    private static var qoiTestFile: [UInt8] {
        var file: [UInt8] = Array("qoif".utf8) + [0, 0, 0, 16, 0, 0, 0, 16, 3, 0]
        for pixel in stride(from: 0, to: testPicture.bytes.count, by: 3) {
            file += [0xFE] + testPicture.bytes[pixel..<pixel + 3]
        }
        return file + QOIDecoder.ending
    }
}
