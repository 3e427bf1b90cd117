// SPDX-License-Identifier: MIT

extension ImageFormat {
    /// The raw formats of cameras, of which Sluice reads the JPEG preview.
    package static let rawPhotos = Codec.rawPhotos.map(\.format)
}

extension Codec {
    /// The raw formats of cameras, of which Sluice decodes the preview.
    ///
    /// Many are TIFF files, so they precede TIFF in ``Codecs/all``.
    static let rawPhotos = [
        raw("cr2", "Canon CR2", "x-canon-cr2", ImageSignature((0, tiffStart), (8, [0x43, 0x52, 0x02]))),
        raw("cr3", "Canon CR3", "x-canon-cr3", ImageSignature(brand: "crx "), structure: .boxes),
        raw("dng", "DNG", "x-adobe-dng", ImageSignature { RAWFirstDirectory($0)?.isDNG == true }),
        raw("nef", "Nikon NEF", "x-nikon-nef", ImageSignature { isPreview($0, by: "NIKON") }),
        raw("arw", "Sony ARW", "x-sony-arw", ImageSignature { isPreview($0, by: "SONY") }),
        raw(
            "pef", "Pentax PEF", "x-pentax-pef",
            ImageSignature { RAWFirstDirectory($0)?.isSensorData(by: "PENTAX", "RICOH") == true }),
        raw(
            "raf", "Fujifilm RAF", "x-fuji-raf", ImageSignature((0, Array("FUJIFILMCCD-RAW".utf8))), structure: .header),
        raw(
            "orf", "Olympus ORF", "x-olympus-orf", ImageSignature(0x49, 0x49, 0x52, 0x4F),
            ImageSignature(0x49, 0x49, 0x52, 0x53), ImageSignature(0x4D, 0x4D, 0x4F, 0x52)),
        raw("rw2", "Panasonic RW2", "x-panasonic-rw2", ImageSignature(0x49, 0x49, 0x55, 0x00)),
    ]

    private static let tiffStart: [UInt8] = [0x49, 0x49, 0x2A, 0x00]

    private static func raw(
        _ name: String, _ title: String, _ type: String, _ signatures: ImageSignature...,
        structure: RAWStructure = .directories
    ) -> Codec {
        let format = ImageFormat(named: name)
        return Codec(
            format: format, title: title, mediaType: "image/\(type)", fileExtensions: [name], signatures: signatures,
            decoder: Codec.jpeg.decoder.map { RAWDecoder(format: format, structure: structure, previewDecoder: $0) },
            makeTestFile: { RAWTestFile.bytes(as: name) })
    }

    private static func isPreview(_ bytes: [UInt8], by make: String) -> Bool {
        RAWFirstDirectory(bytes)?.isPreview(by: make) == true
    }
}
