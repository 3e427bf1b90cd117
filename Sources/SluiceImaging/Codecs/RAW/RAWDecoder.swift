// SPDX-License-Identifier: MIT

/// Decodes the largest JPEG preview of a raw photo, with the photo's orientation; never reads the sensor's data.
struct RAWDecoder: ImageDecoding {
    let format: ImageFormat
    let structure: RAWStructure
    let previewDecoder: any ImageDecoding

    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        let layout = try structure.layout(&window)
        let preview = try RAWPreview(in: layout, salvages: salvages, &window)
        var header = preview.header
        header.info.format = format
        if let orientation = layout.orientation, (1...8).contains(orientation) { header.info.orientation = orientation }
        // The ranges of the preview's header count from the preview's start.
        func moved(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound + preview.range.lowerBound..<range.upperBound + preview.range.lowerBound
        }
        header.profileRanges = header.profileRanges.map(moved)
        header.creditLocations.xmp = header.creditLocations.xmp.map(moved)
        header.creditLocations.iptc = header.creditLocations.iptc.map(moved)
        return header
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        let (preview, layout) = try find(in: input)
        try layout.checkEnd(count: input.count)
        try previewDecoder.checkCompleteness(input.part(preview.range), info, limits: limits, watchdog: watchdog)
    }

    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int) {
        previewDecoder.size(of: header, minimumSize: minimumSize)
    }

    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        previewDecoder.memory(for: header, count: count, size: size)
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        let (preview, layout) = try find(in: job.input, salvages: job.salvages)
        let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try layout.checkEnd(count: job.input.count)
        }
        var previewJob = job
        previewJob.input = job.input.part(preview.range)
        var outcome = try previewDecoder.decode(previewJob, into: receiver)
        outcome.damage = outcome.damage ?? damage ?? preview.missing
        return outcome
    }

    private func find(
        in input: ImageInput, salvages: Bool = false
    ) throws(ImagingError) -> (preview: RAWPreview, layout: RAWLayout) {
        var window = ByteWindow(input)
        let layout = try structure.layout(&window)
        return (try RAWPreview(in: layout, salvages: salvages, &window), layout)
    }
}

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
