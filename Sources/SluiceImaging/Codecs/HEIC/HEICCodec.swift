// SPDX-License-Identifier: MIT

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
            package: "libde265-0", load: { csluice_hevc_load() },
            version: { unsafe csluice_hevc_version().map { "libde265 \(unsafe String(cString: $0))" } }),
        testFile: heicTestFile)
}
