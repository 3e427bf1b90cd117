// SPDX-License-Identifier: MIT

internal import CLCMS
internal import CSluice
internal import CWebP

/// The codec libraries' names and versions.
public struct CodecVersion: Sendable, Hashable {
    /// The library's name.
    public let name: String
    /// Its version; libjpeg-turbo's is that of the header Sluice was built with, the others' what runs.
    public let version: String

    /// Every library that pictures go through.
    public static let all: [CodecVersion] = [
        CodecVersion(name: "libjpeg-turbo", version: decimal(Int(csluice_jpeg_version()), base: 1000)),
        CodecVersion(name: "libpng", version: decimal(Int(csluice_png_version()), base: 100)),
        CodecVersion(name: "libwebp", version: decimal(Int(WebPGetDecoderVersion()), base: 256)),
        CodecVersion(name: "lcms2", version: lcms(Int(cmsGetEncodedCMMversion()))),
    ]

    /// `1.6.39` of a number that holds three parts.
    private static func decimal(_ number: Int, base: Int) -> String {
        "\(number / base / base).\(number / base % base).\(number % base)"
    }

    /// `2.14` of 2140.
    private static func lcms(_ number: Int) -> String {
        let minor = number % 1000
        return minor % 10 == 0 ? "\(number / 1000).\(minor / 10)" : "\(number / 1000).\(minor / 10).\(minor % 10)"
    }
}
