// SPDX-License-Identifier: MIT

/// The facts of one directory of a TIFF that are needed to decode its pixels.
struct TIFFPage {
    private enum Tag {
        static let subfile = 254, width = 256, height = 257, bits = 258, compression = 259, colors = 262
        static let stripStarts = 273, samples = 277, rowsPerStrip = 278, stripLengths = 279, planes = 284
        static let tileWidth = 322, tileHeight = 323, tileStarts = 324, tileLengths = 325, subdirectories = 330
        static let inks = 332, extraSamples = 338, sampleFormat = 339, xmp = 700, iptc = 33723, profile = 34675
    }

    /// Values of the tag for the colours.
    private enum Colors {
        static let whiteIsZero = 0, blackIsZero = 1, rgb = 2, palette = 3, mask = 4, inks = 5, yCbCr = 6, lab = 8
        static let logarithmicGrey = 32844, logarithmicColor = 32845
    }

    private static let faxes = 2...4
    private static let oldJPEG = 6
    private static let newJPEG = 7
    /// Compressions that photos do not use: JBIG, and LERC, whose decoder is written in C++.
    private static let refusedCompressions: Set<Int> = [34661, 34887]
    private static let maxUnits = 1 << 20
    /// The most segments before the frame of a JPEG.
    private static let maxSegments = 100

    /// The offset of the directory.
    let offset: Int
    let width: Int
    let height: Int
    let orientation: Int?
    let isReduced: Bool
    let isMask: Bool
    let subdirectories: [Int]
    let profile: Range<Int>?
    let xmp: Range<Int>?
    let iptc: Range<Int>?

    private let bits: Int
    private let samples: Int
    private let colors: Int
    /// Whether the file states the meaning of the samples, as other decoders demand.
    let statesColors: Bool
    private let compression: Int
    private let inks: Int
    private let hasPlanes: Bool
    private let extraSample: Int?
    private let sampleFormat: Int
    private let tileWidth: Int?
    /// The rows of a strip or tile.
    private let bandRows: Int
    private let starts: TIFFStructure.Entry?
    private let lengths: TIFFStructure.Entry?

    init(
        _ directory: TIFFStructure.Directory, _ structure: TIFFStructure, _ window: inout ByteWindow
    ) throws(ImagingError) {
        func number(_ tag: Int) throws(ImagingError) -> Int? {
            guard let entry = directory.entries[tag] else { return nil }
            return try structure.numbers(entry, limit: 1, &window).first
        }
        offset = directory.offset
        width = try number(Tag.width) ?? 0
        height = try number(Tag.height) ?? 0
        orientation = try number(EXIFBlock.orientationTag)
        let subfile = try number(Tag.subfile) ?? 0
        (isReduced, isMask) = (subfile & 1 != 0, subfile & 4 != 0)
        subdirectories =
            try directory.entries[Tag.subdirectories].map { (entry) throws(ImagingError) in
                try structure.numbers(entry, limit: 16, &window)
            } ?? []
        bits = try number(Tag.bits) ?? 1
        samples = try number(Tag.samples) ?? 1
        compression = try number(Tag.compression) ?? 1
        let usual = Self.faxes.contains(compression) ? Colors.whiteIsZero : Colors.blackIsZero
        colors = try number(Tag.colors) ?? (samples < 3 ? usual : Colors.rgb)
        statesColors = directory.entries[Tag.colors] != nil
        inks = try number(Tag.inks) ?? 1
        hasPlanes = try number(Tag.planes) == 2
        extraSample = try number(Tag.extraSamples)
        sampleFormat = try number(Tag.sampleFormat) ?? 1
        tileWidth = try number(Tag.tileWidth)
        let rows = try tileWidth == nil ? min(number(Tag.rowsPerStrip) ?? .max, height) : number(Tag.tileHeight)
        bandRows = rows ?? 0
        starts = directory.entries[Tag.tileStarts] ?? directory.entries[Tag.stripStarts]
        lengths = directory.entries[Tag.tileLengths] ?? directory.entries[Tag.stripLengths]
        profile = structure.range(directory.entries[Tag.profile], window)
        xmp = structure.range(directory.entries[Tag.xmp], window)
        iptc = structure.range(directory.entries[Tag.iptc], window)
    }
}

extension TIFFPage {
    /// The description of the pixels; throws `unsupported` if Sluice does not show such pixels.
    func info() throws(ImagingError) -> ImageInfo {
        var info = ImageInfo(format: .tiff, width: width, height: height)
        info.hasProfile = profile != nil
        if let orientation, (1...8).contains(orientation) { info.orientation = orientation }
        guard !Self.refusedCompressions.contains(compression) else {
            throw ImagingError(.unsupported, "TIFF with compression \(compression)")
        }
        guard !isUnpacked || (sampleFormat == 1 || sampleFormat == 4) else {
            throw ImagingError(.unsupported, "TIFF with \(sampleFormat == 3 ? "floating-point" : "signed") samples")
        }
        guard !isUnpacked || (1...32).contains(bits) else {
            throw ImagingError(.unsupported, "TIFF with \(bits) bits per sample")
        }
        switch colors {
        case Colors.whiteIsZero, Colors.blackIsZero, Colors.mask: info.colorModel = .grey
        case Colors.inks:
            guard inks == 1, samples >= 4 else { throw ImagingError(.unsupported, "TIFF with \(samples) special inks") }
            // A picture with inks cannot be transparent, and only a profile tells more about them than libtiff does.
            info.colorModel = samples > 4 && statesAlpha && profile == nil ? .rgb : .cmyk
        case Colors.palette where bits > 8:
            throw ImagingError(.unsupported, "TIFF with a palette of \(bits) bits")
        case Colors.rgb, Colors.palette, Colors.yCbCr, Colors.lab, Colors.logarithmicGrey, Colors.logarithmicColor:
            // libtiff converts these to sRGB, whose pixels the profile does not describe.
            if colors == Colors.lab { info.hasProfile = false }
        default: throw ImagingError(.unsupported, "TIFF with colours \(colors)")
        }
        let wanted = colors == Colors.rgb ? 3 : colors == Colors.inks ? 4 : 1
        let canHaveAlpha = info.colorModel == .grey || [Colors.rgb, Colors.palette, Colors.inks].contains(colors)
        info.hasAlpha = canHaveAlpha && info.colorModel != .cmyk && samples > wanted && statesAlpha
        let canBeDeep = info.colorModel == .grey || colors == Colors.rgb
        info.bitDepth = canBeDeep && bits > 8 ? 16 : 8
        return info
    }

    private var statesAlpha: Bool { extraSample == 1 || extraSample == 2 }

    /// Whether Sluice unpacks the samples; otherwise libtiff converts them.
    private var isUnpacked: Bool {
        switch colors {
        case Colors.yCbCr: compression == Self.newJPEG && !hasPlanes && samples == 3 && bits == 8
        case Colors.lab, Colors.logarithmicGrey, Colors.logarithmicColor: false
        default: true
        }
    }

    /// Whether the page is a smaller copy of another page, of the same proportions up to a pixel.
    func isCopy(of page: TIFFPage) -> Bool {
        guard width > 0, height > 0, width < page.width, height < page.height, page.width < 1 << 31,
            page.height < 1 << 31, abs(width * page.height - height * page.width) <= max(page.width, page.height),
            let own = try? info(), let other = try? page.info()
        else { return false }
        return own.colorModel == other.colorModel && own.hasAlpha == other.hasAlpha && own.bitDepth == other.bitDepth
    }

    /// The memory in bytes of the strips or tiles that are decoded at a time, before and after their compression.
    func memory(fileBytes: Int) -> Int {
        let columns = tileWidth.map { $0 > 0 ? (width + $0 - 1) / $0 * $0 : 0 } ?? width
        let (pixels, overflow) = columns.multipliedReportingOverflow(by: bandRows)
        let (bytes, isHuge) = pixels.multipliedReportingOverflow(by: max(4, (samples * bits + 7) / 8))
        guard !overflow, !isHuge, bytes < 1 << 60 else { return 1 << 60 }
        // A strip's compressed bytes are in memory, too.
        return bytes * (isUnpacked ? 1 : 3) + min(fileBytes, bytes) + (compression == Self.oldJPEG ? fileBytes : 0)
    }

    /// Throws `truncated` if the file ends before a strip or tile does.
    func checkEnd(
        _ structure: TIFFStructure, _ window: inout ByteWindow, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        guard let starts else {
            // Old JPEGs may have none.
            guard compression == Self.oldJPEG else { throw ImagingError(.corrupt, "TIFF without strips") }
            return
        }
        // Early writers state no lengths, and libtiff finds them.
        guard let lengths else { return }
        guard starts.count <= Self.maxUnits else { throw ImagingError(.badChunk, "\(starts.count) strips or tiles") }
        try watchdog.check()
        let places = try structure.numbers(starts, limit: starts.count, &window)
        let sizes = try structure.numbers(lengths, limit: starts.count, &window)
        if compression == Self.newJPEG, let first = places.first { try checkProcess(ofJPEGAt: first, &window) }
        let count = window.count
        // Some writers state wrong lengths for uncompressed strips, which libtiff corrects.
        for (index, place) in places.enumerated() {
            let size = index < sizes.count ? sizes[index] : 0
            guard place <= count, size <= count - place else { throw ImagingError(.truncated, "\(count) bytes") }
        }
    }

    /// Throws `unsupported` if a strip's JPEG is lossless or of another process that libjpeg does not decode.
    private func checkProcess(ofJPEGAt start: Int, _ window: inout ByteWindow) throws(ImagingError) {
        var offset = start + 2
        // A damaged strip is found by its decoder.
        for _ in 0..<Self.maxSegments {
            guard offset + 4 <= window.count, try window.uint8(at: offset) == 0xFF else { return }
            let marker = try window.uint8(at: offset + 1)
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            guard !isFrame || marker <= 0xC2 else {
                throw ImagingError(.unsupported, "TIFF with a JPEG of process \(marker - 0xC0)")
            }
            if isFrame || marker == 0xDA { return }
            offset += 2 + Int(try window.bytes(at: offset + 2, count: 2).number(bigEndian: true))
        }
    }
}
