// SPDX-License-Identifier: MIT

extension ImageHeader {
    /// Creates the header of a HEIF file's primary picture; the codec adds what only its own properties tell.
    init(_ items: HEIFItems, as format: ImageFormat, _ window: inout ByteWindow) throws(ImagingError) {
        let primary = items.primary
        guard let extent = items.property("ispe", of: primary) else {
            throw ImagingError(.corrupt, "HEIF without its size")
        }
        var fields = BoxFields(extent.dropFirst(min(4, extent.count)))
        self.init(
            ImageInfo(
                format: format, width: try fields.number(4, in: &window), height: try fields.number(4, in: &window)))
        guard max(info.width, info.height) <= Int32.max else {
            throw ImagingError(.tooManyPixels, "\(info.width)x\(info.height)")
        }
        info.hasAlpha = try items.alpha(of: primary, &window) != nil
        try applyCrop(of: primary, in: items, &window)
        try addColors(items, &window)
        try addMetadata(items, &window)
        try addManifest(&window)
        // Writers rotate the picture and copy the camera's EXIF, so only the picture's own properties count.
        info.orientation = try items.orientation(of: primary, &window)
        info.frames = try HEIFItems.sequenceFrames(&window)
        // The recipe of a picture that is made from the primary one and a gain map.
        if items.items.values.contains(where: { $0.type == "tmap" }) { notes.append(Self.gainMapNote) }
    }

    /// The note about a gain map, which thumbnails do not keep.
    static let gainMapNote = "the gain map for HDR displays is not kept"

    private mutating func applyCrop(
        of primary: Int, in items: HEIFItems, _ window: inout ByteWindow
    ) throws(ImagingError) {
        guard let range = items.property("clap", of: primary) else { return }
        if let crop = try HEIFCrop(range, of: info, &window) {
            self.crop = crop
            (info.width, info.height) = (crop.width, crop.height)
        } else {
            notes.append("the picture's crop is ignored")
        }
    }

    /// The facts about the image, with the size that the decoder gives it, before its crop.
    var decodedInfo: ImageInfo {
        var decoded = info
        if let crop { (decoded.width, decoded.height) = (crop.decodedWidth, crop.decodedHeight) }
        return decoded
    }

    private mutating func addColors(_ items: HEIFItems, _ window: inout ByteWindow) throws(ImagingError) {
        for range in items.propertyList("colr", of: items.primary) {
            var fields = BoxFields(range)
            switch try fields.text(4, in: &window) {
            case "prof", "rICC":
                profileRanges = [fields.offset..<range.upperBound]
                info.hasProfile = true
            case "nclx":
                let primaries = try fields.number(2, in: &window)
                let transfer = try fields.number(2, in: &window)
                // 2 means that the file does not say.
                guard primaries != 2 || transfer != 2 else { continue }
                let code = (primaries: primaries == 2 ? 1 : primaries, transfer: transfer == 2 ? 13 : transfer)
                fallbackColors = Colorimetry(primariesCode: code.primaries, transferCode: code.transfer)
                dynamicRange = HighDynamicRange(primariesCode: code.primaries, transferCode: code.transfer)
                if fallbackColors == nil, dynamicRange == nil {
                    notes.append("colours ignored: nclx \(primaries)/\(transfer)")
                }
            default: break
            }
        }
        try addPeaks(items, &window)
    }

    /// Adds the brightest lights of the content (`clli`) and of the display that it was made on (`mdcv`).
    private mutating func addPeaks(_ items: HEIFItems, _ window: inout ByteWindow) throws(ImagingError) {
        guard var range = dynamicRange else { return }
        if let light = items.property("clli", of: items.primary) {
            var fields = BoxFields(light)
            range.addPeaks(content: Double(try fields.number(2, in: &window)))
        }
        if let display = items.property("mdcv", of: items.primary) {
            // After the primaries and the white point.
            var fields = BoxFields(display.dropFirst(min(16, display.count)))
            range.addPeaks(display: Double(try fields.number(4, in: &window)) / 10_000)
        }
        dynamicRange = range
        notes.append(range.note)
    }

    /// Finds the C2PA manifest store, which is in a top-level box with its purpose.
    private mutating func addManifest(_ window: inout ByteWindow) throws(ImagingError) {
        var boxes = Boxes(in: 0..<window.count)
        // Damage between the boxes is for the decoder to judge.
        while let box = try? boxes.next(in: &window) {
            guard box.type == "uuid", box.content.count > 20 else { continue }
            var fields = BoxFields(box.content)
            guard Array(try fields.data(16, in: &window)) == Self.manifestType else { continue }
            // The version.
            _ = try fields.number(4, in: &window)
            let purpose = try fields.text(in: &window)
            // The place of further boxes follows.
            let start = fields.offset + 8
            guard ["manifest", "original", "update"].contains(purpose), start < box.content.upperBound else { continue }
            manifestRanges = [start..<box.content.upperBound]
        }
    }

    private static let manifestType: [UInt8] = [
        0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
    ]

    private mutating func addMetadata(_ items: HEIFItems, _ window: inout ByteWindow) throws(ImagingError) {
        for source in items.sources(of: "cdsc", to: items.primary) {
            guard let item = items.items[source], item.extents.count == 1, let range = item.extents.first,
                range.upperBound <= window.count
            else { continue }
            if item.type == "Exif", range.count > 4, range.count <= EXIFBlock.maxBytes {
                // The content starts with the distance to the TIFF header.
                let distance = try window.uint32(at: range.lowerBound)
                readEXIF(try window.bytes(range).dropFirst(4).dropFirst(distance))
            } else if item.type == "mime", item.mediaType == "application/rdf+xml" {
                creditLocations.xmp = range
            }
        }
    }
}

extension HEIFItems {
    private static let alphaTypes = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    ]

    /// Returns the item with the transparency of a picture; `nil` if it has none.
    func alpha(of picture: Int, _ window: inout ByteWindow) throws(ImagingError) -> Int? {
        for source in sources(of: "auxl", to: picture) where try isAlpha(source, &window) { return source }
        return nil
    }

    /// Returns whether any of several pictures has transparency.
    func hasAlpha(ofAnyOf pictures: [Int], _ window: inout ByteWindow) throws(ImagingError) -> Bool {
        let pictures = Set(pictures)
        for reference in references where reference.type == "auxl" && !pictures.isDisjoint(with: reference.to) {
            if try isAlpha(reference.from, &window) { return true }
        }
        return false
    }

    private func isAlpha(_ item: Int, _ window: inout ByteWindow) throws(ImagingError) -> Bool {
        guard let range = property("auxC", of: item) else { return false }
        var fields = BoxFields(range.dropFirst(min(4, range.count)))
        return Self.alphaTypes.contains(try fields.text(in: &window))
    }

    /// Returns the EXIF orientation that a picture's rotation and mirroring amount to.
    fileprivate func orientation(of picture: Int, _ window: inout ByteWindow) throws(ImagingError) -> Int {
        var (turns, mirror) = (0, 2)
        if let range = property("irot", of: picture), !range.isEmpty {
            turns = try window.uint8(at: range.lowerBound) & 3
        }
        if let range = property("imir", of: picture), !range.isEmpty {
            mirror = try window.uint8(at: range.lowerBound) & 1
        }
        // For each number of quarter turns to the left, in the order in which readers apply them: then top and bottom
        // swapped, left and right swapped, or neither.
        return [[4, 2, 1], [5, 7, 8], [2, 4, 3], [7, 5, 6]][turns][mirror]
    }

    /// Returns the number of frames of the file's picture sequence; 1 if it has none.
    static func sequenceFrames(_ window: inout ByteWindow) throws(ImagingError) -> Int {
        var frames = 1
        do throws(ImagingError) {
            for track in try tracks(&window) where !track.isSound {
                guard
                    let sizes = try Boxes.first(
                        at: ["mdia", "minf", "stbl", "stsz"], in: track.place, &window), sizes.content.count >= 12
                else { continue }
                frames = max(frames, try window.uint32(at: sizes.content.lowerBound + 8))
            }
        } catch {
            // The sequence may lie after the picture, in a part that is missing.
            if error.code == .disk { throw error }
        }
        return frames
    }

    /// Returns the tracks of the file's sequence, and whether they are sound.
    static func tracks(
        _ window: inout ByteWindow
    ) throws(ImagingError) -> [(place: Range<Int>, isSound: Bool)] {
        guard let movie = try Boxes.first("moov", in: 0..<window.count, &window) else { return [] }
        var tracks: [(Range<Int>, Bool)] = []
        var boxes = Boxes(in: movie.content)
        while let track = try boxes.next(in: &window) {
            guard track.type == "trak",
                let handler = try Boxes.first(at: ["mdia", "hdlr"], in: track.content, &window)
            else { continue }
            var fields = BoxFields(handler.content)
            tracks.append((track.content, try fields.data(12, in: &window).suffix(4).elementsEqual("soun".utf8)))
        }
        return tracks
    }
}

/// The crop of a picture in a HEIF file (`clap`), in whole pixels.
///
/// Encoders pad pictures to whole blocks, and hide the padding with a crop.
struct HEIFCrop: Hashable {
    // The limits on pixels apply to the cropped size, so the decoded one may not be much larger.
    private static let maxRemoved = 64

    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let decodedWidth: Int
    let decodedHeight: Int

    /// Reads a crop; `nil` if it cuts pixels, reaches beyond the picture, or removes more than padding.
    init?(_ range: Range<Int>, of info: ImageInfo, _ window: inout ByteWindow) throws(ImagingError) {
        var fields = BoxFields(range)
        let width = try Self.fraction(&fields, &window)
        let height = try Self.fraction(&fields, &window)
        let right = try Self.fraction(&fields, &window)
        let down = try Self.fraction(&fields, &window)
        guard let across = Self.span(width, offset: right, of: info.width),
            let along = Self.span(height, offset: down, of: info.height)
        else { return nil }
        (x, self.width) = (across.lowerBound, across.count)
        (y, self.height) = (along.lowerBound, along.count)
        (decodedWidth, decodedHeight) = (info.width, info.height)
    }

    private typealias Fraction = (numerator: Int, denominator: Int)

    private static func fraction(
        _ fields: inout BoxFields, _ window: inout ByteWindow
    ) throws(ImagingError) -> Fraction {
        let numerator = Int32(truncatingIfNeeded: try fields.number(4, in: &window))
        return (Int(numerator), try fields.number(4, in: &window))
    }

    /// Returns the pixels that remain of a side, of which the crop's centre is `offset` away from the side's centre.
    private static func span(_ size: Fraction, offset: Fraction, of side: Int) -> Range<Int>? {
        guard size.denominator > 0, offset.denominator > 0, size.numerator.isMultiple(of: size.denominator) else {
            return nil
        }
        let count = size.numerator / size.denominator
        guard count > 0, count <= side, side - count < maxRemoved else { return nil }
        let doubledStart = 2 * offset.numerator + (side - count) * offset.denominator
        guard doubledStart.isMultiple(of: 2 * offset.denominator) else { return nil }
        let start = doubledStart / (2 * offset.denominator)
        guard start >= 0, start + count <= side else { return nil }
        return start..<start + count
    }
}
