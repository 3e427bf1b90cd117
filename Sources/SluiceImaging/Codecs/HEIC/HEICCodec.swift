// SPDX-License-Identifier: MIT

internal import CLibraries
internal import CSluice

extension ImageFormat {
    /// HEIC, in which many phones store photos; Sluice reads it in sandboxed processes only.
    public static let heic = ImageFormat(named: "heic")
}

extension Codec {
    static let heic = Codec(
        format: .heic, title: "HEIC", mediaType: "image/heic", fileExtensions: ["heic", "heif"],
        signatures: ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"].map { ImageSignature(brand: $0) },
        decoder: HEICDecoder(),
        loader: CodecLoader(
            // libavif converts the pictures' colours.
            package: "libde265-0", load: { clibraries_load(clibraries_avif) && csluice_hevc_load() },
            library: {
                unsafe csluice_hevc_version().map {
                    CodecVersion(name: "libde265", version: unsafe String(cString: $0))
                }
            }), isRestricted: true,
        makeTestFile: { heicTestFile })
}
