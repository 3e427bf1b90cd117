// SPDX-License-Identifier: MIT

/// Whether a codec does its work on this machine: a small picture goes through it and back.
public struct CodecCheck: Sendable, Hashable {
    /// The format that was tried.
    public let format: ImageFormat
    /// What went wrong; `nil` if nothing did.
    public let problem: String?

    /// Tries every codec; takes a few milliseconds.
    public static func all() -> [CodecCheck] {
        Encoders.all.map { CodecCheck(format: $0.format, problem: problem(with: $0.format)) }
    }

    private static func problem(with format: ImageFormat) -> String? {
        let bytes = (0..<768).map { (sample: Int) -> UInt8 in UInt8(sample / 48 * 8 + sample % 3 * 40) }
        let original = Raster(width: 16, height: 16, layout: .rgb, bytes: bytes)
        do {
            var encoder = PictureEncoder(format)
            encoder.quality = 95
            let decoded = try Raster(decoding: PictureBytes(encoder.encode(original)))
            let worst = zip(original.bytes, decoded.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 255
            guard decoded.bytes.count == original.bytes.count else {
                return "came back as \(decoded.width)x\(decoded.height)"
            }
            return worst > 24 ? "came back with other colours, off by \(worst)" : nil
        } catch {
            return "\(error)"
        }
    }
}
