// SPDX-License-Identifier: MIT

internal import CAVIF
internal import CLibraries

/// Decodes AVIF with libavif, which keeps the whole picture in memory while decoding.
///
/// Of an animation, decodes the still picture that its file holds for readers of stills.
struct AVIFDecoder: HEIFDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .avif(&window)
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        let info = job.header.decodedInfo
        try checkCompleteness(job.input, info, limits: job.limits, watchdog: job.watchdog)
        let reader = try AVIFReader(info, checks: job.checksAVIF)
        try reader.decode(job.readAVIF(), info)
        try reader.deliver(job.header, watchdog: job.watchdog, to: receiver)
        let isUnchecked = !reader.isChecking && !job.salvages
        return DecodeOutcome(notes: isUnchecked ? ["dav1d decoded, which finds less damage than libaom"] : [])
    }
}

extension DecodeJob {
    /// Whether libaom, which detects more damage, decodes AVIFs; salvaging uses dav1d, which tolerates damage.
    var checksAVIF: Bool { usesCheckingDecoder && !salvages }

    /// Reads the file, without its sound, whose size of 0x0 pixels libavif 0.11 refuses.
    func readAVIF() throws(ImagingError) -> [UInt8] {
        var file = try input.read(at: 0, count: input.count)
        var window = ByteWindow(input)
        for track in try HEIFItems.tracks(&window) where track.isSound {
            let type = track.place.lowerBound - 4..<track.place.lowerBound
            if file[type].elementsEqual("trak".utf8) { file.replaceSubrange(type, with: "free".utf8) }
        }
        return file
    }
}

extension ImageHeader {
    /// Reads the items of an AVIF: its primary picture, or the grid of pictures that make it up.
    static func avif(_ window: inout ByteWindow) throws(ImagingError) -> ImageHeader {
        let items = try HEIFItems(&window)
        let type = items.items[items.primary]?.type
        let tiles = type == "grid" ? items.targets(of: "dimg", from: items.primary) : []
        guard type == "av01" || !tiles.isEmpty else {
            throw ImagingError(.unsupported, "AVIF without an AV1 picture")
        }
        // libavif before 1.1 places tiles in the order of their numbers, which would scramble the picture.
        guard tiles == tiles.sorted() else { throw ImagingError(.unsupported, "AVIF grid with tiles in another order") }
        guard let range = items.property("av1C", of: tiles.first ?? items.primary), range.count >= 4
        else {
            throw ImagingError(.corrupt, "AVIF without its configuration")
        }
        var header = try ImageHeader(items, as: .avif, &window)
        if !header.info.hasAlpha, try items.hasAlpha(ofAnyOf: tiles, &window) {
            // libavif before 1.0 finds only the transparency of the whole grid, and shows the colours below it.
            guard AVIFLibrary.readsAlphaOfTiles else {
                throw ImagingError(.unsupported, "AVIF grid of transparent tiles, which libavif 1.0 reads")
            }
            header.info.hasAlpha = true
        }
        let flags = try window.uint8(at: range.lowerBound + 2)
        header.info.bitDepth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        let isGrey = flags & 0x10 != 0
        header.info.colorModel = isGrey ? .grey : .rgb
        // Halves of a plane in full resolution.
        let chroma = isGrey ? 0 : flags & 0x08 == 0 ? 4 : flags & 0x04 == 0 ? 2 : 1
        let halfPlanes = 2 + chroma + (header.info.hasAlpha ? 2 : 0)
        // A grid has its planes twice, and the decoder's own lists take a quarter more.
        header.setWholeImageBytes { $0 * halfPlanes / 2 * $1 * (tiles.isEmpty ? 1 : 2) * 5 / 4 }
        // libaom describes each block of 4x4 pixels, and keeps further copies of the planes.
        if header.wholeImageBytes > 0 {
            let decoders = header.info.hasAlpha ? 2 : 1
            header.checkingDecoderBytes = header.decodedInfo.width * header.decodedInfo.height * 13 * decoders
        }
        return header
    }
}

extension ImageFormat {
    /// AVIF, which is smaller than JPEG and can be transparent, deep or animated.
    public static let avif = ImageFormat(named: "avif")
}

extension ThumbnailOptions.Format {
    /// AVIF.
    public static let avif = fixed(.avif)
}

extension Codec {
    static let avif = Codec(
        format: .avif, title: "AVIF", mediaType: "image/avif", fileExtensions: ["avif"],
        signatures: ["avif", "avis"].map { ImageSignature(brand: $0) } + [
            ImageSignature(test: isCompatibleWithAVIF)
        ],
        decoder: AVIFDecoder(), encoder: AVIFEncoder(),
        loader: CodecLoader(
            package: "libavif", load: { clibraries_load(clibraries_avif) },
            library: {
                guard clibraries_is_loaded(clibraries_avif) else { return nil }
                return CodecVersion(name: "libavif", version: unsafe String(cString: avifVersion()))
            }))

    /// Whether a file of another HEIF brand says that readers of AVIF can read it.
    private static func isCompatibleWithAVIF(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 16, bytes[4..<12].elementsEqual("ftypmif1".utf8) else { return false }
        let end = min(bytes.count, Int(bytes[0..<4].number(bigEndian: true)))
        return stride(from: 16, through: end - 4, by: 4).contains {
            bytes[$0..<$0 + 4].elementsEqual("avif".utf8)
        }
    }
}

/// libavif, which is loaded when it is first needed.
enum AVIFLibrary {
    /// Whether the library finds the transparency of each tile of a grid.
    static var readsAlphaOfTiles: Bool { AVIF_VERSION_MAJOR >= 1 }

    /// Whether the library decodes with libaom, as Debian's does.
    static var hasCheckingDecoder: Bool {
        unsafe avifCodecName(AVIF_CODEC_CHOICE_AOM, AVIF_CODEC_FLAG_CAN_DECODE.rawValue) != nil
    }

    /// Throws `unsupported` if the library cannot be loaded.
    static func load() throws(ImagingError) {
        guard clibraries_load(clibraries_avif) else {
            throw ImagingError(.unsupported, "AVIF needs libavif, which cannot be loaded").of(.avif)
        }
    }
}
