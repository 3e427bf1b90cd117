// SPDX-License-Identifier: MIT

/// The texts and times with which an image file describes its photo.
package struct StatedFacts: Sendable {
    /// The facts in one of the places where a file has them.
    package struct Source: Sendable, Hashable {
        package var caption: String?
        package var author: String?
        package var credit: String?
        package var tags: [String] = []
        /// When the photo was taken, in ISO 8601; without an offset from UTC if the file states none.
        package var time: String?
        /// When it was scanned, or taken with a digital camera.
        package var digitized: String?
    }

    package private(set) var exif = Source()
    package private(set) var iptc = Source()
    /// The XMP packet; `nil` if there is none, or if it is too large.
    package private(set) var xmp: [UInt8]?
    /// The latitude and the longitude in EXIF, as ``CameraFacts/place``.
    package private(set) var place: String?

    /// Reads the header of an image file; `nil` if it is invalid.
    package init?(fileAt descriptor: Int32) {
        guard let input = try? ImageInput(descriptor: descriptor), let header = try? ImageHeader(of: input) else {
            return nil
        }
        if let reader = header.exifReader(in: input) {
            place = CameraFacts(reader, withPlace: true)?.place
            try? exif.read(reader)
        }
        func read(_ range: Range<Int>?) -> [UInt8]? {
            guard let range, range.count <= EXIFBlock.maxBytes else { return nil }
            return try? input.read(at: range.lowerBound, count: range.count)
        }
        xmp = read(header.creditLocations.xmp)
        if let record = read(header.creditLocations.iptc) { iptc.read(IPTCRecord(record)) }
    }
}

extension StatedFacts.Source {
    private static let maximumText = 16 << 10
    /// Parts of the descriptions that cameras and programs write into every file, as lower-case letters.
    private static let placeholders = [
        "digital camera", "sony dsc", "digital stillcamera", "exif_jpeg_picture", "dcim", "<?xml",
    ]

    fileprivate mutating func read(_ reader: EXIFReader) throws(EXIFReader.InvalidBlock) {
        let first = try reader.firstDirectory
        var texts: [Int: String] = [:]
        for entry in try EXIFBlock.entries(in: reader, at: first, { [0x010E, 0x013B, 0x8298].contains($0) })
            + EXIFBlock.entries(
                in: reader, under: EXIFBlock.exifDirectoryTag, at: first,
                { [0x9003, 0x9004, 0x9011, 0x9012].contains($0) })
        {
            texts[entry.tag] = entry.text(limit: Self.maximumText)
        }
        caption = texts[0x010E].flatMap { text in
            Self.placeholders.contains { text.lowercased().contains($0) } ? nil : text
        }
        (author, credit) = (texts[0x013B], texts[0x8298])
        time = Self.time(texts[0x9003], texts[0x9011])
        digitized = Self.time(texts[0x9004], texts[0x9012])
    }

    /// Converts `2010:06:01 12:00:00`.
    private static func time(_ text: String?, _ offset: String?) -> String? {
        let parts = text?.split(separator: " ") ?? []
        guard parts.count == 2 else { return nil }
        let isOffset = offset?.utf8.count == 6 && offset?.utf8.contains { (0x30...0x39).contains($0) } == true
        return "\(parts[0].replacing(":", with: "-"))T\(parts[1])\(isOffset ? offset ?? "" : "")"
    }

    fileprivate mutating func read(_ record: IPTCRecord) {
        caption = record.texts[120]?.first ?? record.texts[5]?.first
        author = record.credit.artist
        credit = record.texts[110]?.first ?? record.credit.copyright
        tags = record.texts[25] ?? []
        guard let day = record.texts[55]?.first?.utf8, day.count == 8 else { return }
        time = [day.prefix(4), day.dropFirst(4).prefix(2), day.suffix(2)].map { String(Substring($0)) }
            .joined(separator: "-")
        guard let clock = record.texts[60]?.first?.utf8, clock.count >= 6 else { return }
        let parts = [clock.prefix(2), clock.dropFirst(2).prefix(2), clock.dropFirst(4).prefix(2)]
        time? += "T\(parts.map { String(Substring($0)) }.joined(separator: ":"))\(Substring(clock.dropFirst(6)))"
    }
}

extension ImageHeader {
    /// A reader of the EXIF block, or of the file if it is a TIFF or a raw photo in that form; `nil` without either.
    func exifReader(in input: ImageInput) -> EXIFReader? {
        if let exif, let reader = try? EXIFReader(exif) { return reader }
        return try? EXIFReader(input)
    }
}
