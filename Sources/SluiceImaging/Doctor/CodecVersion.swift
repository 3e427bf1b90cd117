// SPDX-License-Identifier: MIT

internal import CLCMS
internal import CSluice
internal import CWebP

/// The name and the version of a codec library.
public struct CodecVersion: Sendable, Hashable {
    /// The library's name.
    public let name: String
    /// The version at run time; for libjpeg-turbo, that of the header it was compiled with.
    public let version: String

    /// All libraries that process images.
    public static let all: [CodecVersion] = [
        CodecVersion(name: "libjpeg-turbo", version: decimal(Int(csluice_jpeg_version()), base: 1000)),
        CodecVersion(name: "libpng", version: decimal(Int(csluice_png_version()), base: 100)),
        CodecVersion(name: "libwebp", version: decimal(Int(WebPGetDecoderVersion()), base: 256)),
        CodecVersion(name: "lcms2", version: lcms(Int(cmsGetEncodedCMMversion()))),
    ]

    /// Formats a number of three parts, for example 10639 as `1.6.39`.
    private static func decimal(_ number: Int, base: Int) -> String {
        "\(number / base / base).\(number / base % base).\(number % base)"
    }

    /// Formats lcms2's number, for example 2140 as `2.14`.
    private static func lcms(_ number: Int) -> String {
        let minor = number % 1000
        return minor % 10 == 0 ? "\(number / 1000).\(minor / 10)" : "\(number / 1000).\(minor / 10).\(minor % 10)"
    }
}
