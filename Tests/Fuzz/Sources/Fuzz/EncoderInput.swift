// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// An input of an encoder's target: options in the first bytes, and the rest is a colour profile or an EXIF block.
struct EncoderInput {
    /// The number of bytes that determine the options.
    static let optionBytes = 12

    let options: ThumbnailOptions
    /// A PNG with the profile or the block.
    let picture: [UInt8]

    /// Makes an input; `nil` if there are too few bytes.
    init?(_ bytes: [UInt8], for format: ImageFormat) {
        guard bytes.count > Self.optionBytes else { return nil }
        options = Self.options(bytes, format)
        let (width, height) = (Int(bytes[0] % 40) + 1, Int(bytes[1] % 40) + 1)
        let isGrey = bytes[2] & 1 == 1
        let hasAlpha = bytes[2] & 2 == 2
        let pixels = (0..<width * height).flatMap { pixel -> [UInt8] in
            let colors = (0..<3).map { UInt8(truncatingIfNeeded: pixel * (isGrey ? 5 : 5 + $0 * 9)) }
            return colors + [hasAlpha ? UInt8(truncatingIfNeeded: pixel * 3) : 255]
        }
        guard let plain = try? ImageEncoder(.png).encode(pixels, width: width, height: height) else { return nil }
        let rest = bytes.dropFirst(Self.optionBytes)
        let chunk =
            bytes[2] & 4 == 4
            ? PNGChecksums.chunk("eXIf", Array(rest))
            : PNGChecksums.chunk("iCCP", Array("fuzz\0\0".utf8) + PNGChecksums.zlib(Array(rest)))
        picture = Array(plain.prefix(33)) + chunk + plain.dropFirst(33)
    }

    private static func options(_ bytes: [UInt8], _ format: ImageFormat) -> ThumbnailOptions {
        func choice<Choices: Collection>(_ choices: Choices, _ index: Int) -> Choices.Element {
            choices[choices.index(choices.startIndex, offsetBy: Int(bytes[index]) % choices.count)]
        }
        var options = ThumbnailOptions()
        options.format = .fixed(format)
        options.sizes = [ThumbnailSize(width: Int(bytes[3] % 64) + 1, height: Int(bytes[4] % 64) + 1)]
        options.profile = bytes[5] & 7 == 0 ? .strip : bytes[5] & 7 == 1 ? .srgb : .keep
        options.keptMetadata = bytes[5] & 8 == 0 ? [] : Set(ThumbnailOptions.Metadata.allCases)
        options.fit = choice(ThumbnailOptions.Fit.allCases, 6)
        options.gravity = choice(ThumbnailOptions.Gravity.allCases, 7)
        options.subsampling = choice(ThumbnailOptions.Subsampling.allCases, 8)
        options.quality = Int(bytes[9] % 100) + 1
        options.isProgressive = bytes[10] & 1 == 1
        options.isLossless = bytes[10] & 2 == 2
        options.isLinear = bytes[10] & 4 == 4
        options.enlarges = bytes[10] & 8 == 8
        options.background = BackgroundColor(
            red: bytes[11], green: bytes[11], blue: bytes[10] & 16 == 16 ? 0 : bytes[11])
        options.maxBytes = bytes[10] & 32 == 32 ? 400 : nil
        options.speed = bytes[10] & 64 == 64 ? 5 : ThumbnailOptions.defaultSpeed
        options.targetScore = bytes[10] & 128 == 128 ? 70 : nil
        return options
    }
}
