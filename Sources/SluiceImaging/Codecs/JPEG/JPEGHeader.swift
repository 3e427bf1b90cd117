// SPDX-License-Identifier: MIT

extension ImageHeader {
    /// Reads the segments of a JPEG up to its first scan.
    static func jpeg(_ window: inout ByteWindow) throws(ImagingError) -> ImageHeader {
        var header: ImageHeader?
        var profileParts: [(number: Int, part: Range<Int>)] = []
        var exif: ArraySlice<UInt8>?
        var locations = CreditLocations()
        var components: [(across: Int, down: Int)] = []
        var restartInterval = 0
        var luminanceTable: [Int] = []
        var gainMap = JPEGGainMap()
        var manifest = JPEGManifest()
        var segments = JPEGSegments()
        while let segment = try segments.next(in: &window) {
            try gainMap.read(segment, &window)
            try manifest.read(segment, &window)
            switch segment.marker {
            case let marker where JPEGSegments.isFrame(marker):
                header = ImageHeader(try frame(segment, &window))
                components = try Self.components(segment, &window)
            case 0xE1:
                if exif == nil, let block = try window.content(segment.body, after: "Exif\0\0") {
                    exif = try window.bytes(block)
                }
                if let text = try window.content(segment.body, after: "http://ns.adobe.com/xap/1.0/\0") {
                    locations.xmp = text
                }
            case 0xED:
                if let blocks = try window.content(segment.body, after: "Photoshop 3.0\0") { locations.iptc = blocks }
            case 0xE2:
                if let part = try window.content(segment.body, after: "ICC_PROFILE\0"), part.count > 2 {
                    profileParts.append((try window.uint8(at: part.lowerBound), part.dropFirst(2)))
                }
            case 0xDB where luminanceTable.isEmpty:
                luminanceTable = Self.luminanceTable(try window.bytes(segment.body))
            case 0xDD where segment.body.count >= 2: restartInterval = try window.uint16(at: segment.body.lowerBound)
            default: break
            }
            if segment.marker == 0xDA {
                let isPartialScan = try window.uint8(at: segment.body.lowerBound) < components.count
                if isPartialScan || header?.info.isProgressive == true { header?.countCoefficients(components) }
                if header?.info.isProgressive == true { header?.countOwnCoefficients(components) }
                break
            }
        }
        guard var header else { throw ImagingError(.corrupt, "no frame before the first scan") }
        if let exif { header.readEXIF(exif) }
        header.restartInterval = restartInterval
        header.luminanceTable = luminanceTable
        header.creditLocations = locations
        header.manifestRanges = manifest.ranges
        header.profileRanges = profileParts.sorted { $0.number < $1.number }.map(\.part)
        header.info.hasProfile = !profileParts.isEmpty
        if gainMap.isPresent { header.notes.append(gainMapNote) }
        return header
    }

    /// Finds the table with the number 0 among those of a segment; empty without it.
    private static func luminanceTable(_ tables: ArraySlice<UInt8>) -> [Int] {
        var rest = tables
        while let kind = rest.popFirst() {
            let size = kind >> 4 == 0 ? 1 : 2
            guard rest.count >= 64 * size else { break }
            if kind & 15 == 0 {
                return (0..<16).map { Int(rest.dropFirst($0 * size).prefix(size).number(bigEndian: true)) }
            }
            rest = rest.dropFirst(64 * size)
        }
        return []
    }

    private static func frame(_ segment: JPEGSegments.Segment, _ window: inout ByteWindow) throws(ImagingError)
        -> ImageInfo
    {
        let start = segment.body.lowerBound
        guard segment.body.count >= 6 else { throw ImagingError(.corrupt, "short frame header") }
        let height = try window.uint16(at: start + 1)
        var info = ImageInfo(format: .jpeg, width: try window.uint16(at: start + 3), height: height)
        info.bitDepth = try window.uint8(at: start)
        info.isProgressive = [2, 6, 10, 14].contains(segment.marker & 0x0F)
        switch try window.uint8(at: start + 5) {
        case 1: info.colorModel = .grey
        case 4: info.colorModel = .cmyk
        default: info.colorModel = .rgb
        }
        if height == 0 { throw ImagingError(.unsupported, "JPEG whose height follows its first scan") }
        return info
    }
}

extension ImageHeader {
    /// Reads the sampling factors of each component.
    private static func components(
        _ frame: JPEGSegments.Segment, _ window: inout ByteWindow
    ) throws(ImagingError) -> [(across: Int, down: Int)] {
        var components: [(across: Int, down: Int)] = []
        components.reserveCapacity(frame.body.count / 3)
        for start in stride(from: frame.body.lowerBound + 6, to: frame.body.upperBound - 2, by: 3) {
            let factors = try window.uint8(at: start + 1)
            components.append((across: factors >> 4, down: factors & 15))
        }
        return components
    }

    /// Counts the coefficients of all components, in whole blocks; a multi-scan decoder keeps them until the last scan.
    fileprivate mutating func countCoefficients(_ components: [(across: Int, down: Int)]) {
        let across = max(1, components.map(\.across).max() ?? 1)
        let down = max(1, components.map(\.down).max() ?? 1)
        let count = components.reduce(0) { sum, component in
            sum + (info.width * component.across / across + 16) * (info.height * component.down / down + 16)
        }
        wholeImageBytes = 2 * count
    }

    /// Counts what Sluice's own decoder stores of a progressive image beyond that: padding, and a mask for each block.
    fileprivate mutating func countOwnCoefficients(_ components: [(across: Int, down: Int)]) {
        let bytes = FastJPEGReader.coefficientBytes(width: info.width, height: info.height, components)
        ownDecoderBytes = max(0, bytes - wholeImageBytes)
    }
}

/// Iterates over the segments of a JPEG.
struct JPEGSegments {
    /// A marker and the byte range of its content.
    struct Segment {
        let marker: Int
        /// The content's byte range, after the length field.
        let body: Range<Int>
    }

    /// The marker at the end of a file.
    static let endMarker: [UInt8] = [0xFF, 0xD9]

    /// Whether a marker begins the header of a frame.
    static func isFrame(_ marker: Int) -> Bool {
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
    }

    /// The offset at which to look for the next marker.
    private(set) var offset = 2

    /// Returns the next segment; `nil` at the end marker.
    ///
    /// Skips bytes between segments, as decoders do.
    mutating func next(in window: inout ByteWindow) throws(ImagingError) -> Segment? {
        while true {
            guard let found = try window.firstMarker(from: offset) else { throw missingEnd }
            offset = found + 1
            guard offset < window.count else { throw missingEnd }
            let marker = try window.uint8(at: offset)
            switch marker {
            case 0x00, 0xFF: continue
            case 0x01, 0xD0...0xD8: offset += 1
            case Int(Self.endMarker[1]): return nil
            default: return try segment(marker, &window)
            }
        }
    }

    private mutating func segment(_ marker: Int, _ window: inout ByteWindow) throws(ImagingError) -> Segment {
        let start = offset + 1
        guard start + 2 <= window.count else { throw missingEnd }
        let claimed = try window.uint16(at: start)
        // A length below its own two bytes is invalid; decoders treat it as empty content.
        let length = max(2, claimed)
        guard start + length <= window.count else { throw missingEnd }
        offset = start + length
        return Segment(marker: marker, body: start + 2..<start + length)
    }

    private var missingEnd: ImagingError { ImagingError(.truncated, "no JPEG end marker") }
}
