// SPDX-License-Identifier: MIT

/// The result of a self-test of one codec, which encodes and decodes a small image.
public struct CodecCheck: Sendable, Hashable {
    /// The tested format.
    public let format: ImageFormat
    /// The failure; `nil` if the codec works.
    public let problem: String?

    /// Tests every codec; takes a few milliseconds.
    public static func runAll() -> [CodecCheck] {
        Encoders.all.map { CodecCheck(format: $0.format, problem: problem(with: $0.format)) }
    }

    private static func problem(with format: ImageFormat) -> String? {
        let bytes = (0..<768).map { (sample: Int) -> UInt8 in UInt8(sample / 48 * 8 + sample % 3 * 40) }
        let original = Raster(width: 16, height: 16, layout: .rgb, bytes: bytes)
        do {
            var encoder = ImageEncoder(format)
            encoder.quality = 95
            let decoded = try Raster(decoding: ImageInput(encoder.encode(original)))
            let worst = zip(original.bytes, decoded.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 255
            guard decoded.bytes.count == original.bytes.count else {
                return "a 16x16 image decodes as \(decoded.width)x\(decoded.height)"
            }
            return worst > 24 ? "decoded colours differ by \(worst) (limit 24)" : nil
        } catch {
            return "\(error)"
        }
    }
}
