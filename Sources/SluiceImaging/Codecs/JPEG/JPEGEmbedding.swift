// SPDX-License-Identifier: MIT

/// Writes XMP and IPTC into the segments before the first scan of a JPEG.
struct JPEGEmbedding {
    private struct Segment {
        let marker: UInt8
        /// The content, after the length.
        var content: [UInt8]
    }

    private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let photoshopName = Array("Photoshop 3.0\0".utf8)
    private static let exifName = Array("Exif\0".utf8)
    /// The largest content of a segment.
    private static let largest = 0xFFFF - 2

    /// The segments before the first that is no metadata.
    private var segments: [Segment] = []
    /// The rest of the file.
    private let rest: ArraySlice<UInt8>

    /// Returns the file with the metadata; `nil` if it stays as it is.
    static func embed(_ metadata: EmbeddedMetadata, in file: [UInt8]) -> [UInt8]? {
        guard var embedding = JPEGEmbedding(file), !embedding.isSigned else { return nil }
        let start = embedding.startOfPictureIndex
        let hasXMP = embedding.addXMP(metadata)
        let hasIPTC = embedding.addIPTC(metadata)
        guard hasXMP || hasIPTC else { return nil }
        if let start, !embedding.movePictures(in: file, indexedAt: start) { return nil }
        return embedding.file
    }

    /// Reads the application and comment segments at the beginning.
    private init?(_ file: [UInt8]) {
        guard file.starts(with: [0xFF, 0xD8]) else { return nil }
        var rest = file.dropFirst(2)
        while let first = rest.first, first == 0xFF, rest.count >= 4 {
            let marker = rest[rest.startIndex + 1]
            guard 0xE0...0xEF ~= marker || marker == 0xFE else { break }
            let length = Int(rest.dropFirst(2).prefix(2).number(bigEndian: true))
            guard length >= 2, rest.count >= length + 2 else { return nil }
            segments.append(Segment(marker: marker, content: Array(rest.dropFirst(4).prefix(length - 2))))
            rest = rest.dropFirst(length + 2)
        }
        self.rest = rest
    }

    /// Whether the file is signed.
    private var isSigned: Bool {
        segments.contains { $0.marker == 0xEB && $0.content.starts(with: Array("JP".utf8)) }
    }

    private var pictureIndex: Int? {
        segments.firstIndex { $0.marker == 0xE2 && $0.content.starts(with: JPEGPictureIndex.name) }
    }

    /// The place in the file of the content of the index of further pictures; `nil` for a file with one picture.
    private var startOfPictureIndex: Int? { pictureIndex.map { Self.size(of: segments[..<$0]) + 4 } }

    /// Corrects the index of further pictures, which follow the changed segments; returns false if it is invalid.
    private mutating func movePictures(in file: [UInt8], indexedAt start: Int) -> Bool {
        guard let place = pictureIndex, let newStart = startOfPictureIndex,
            var index = JPEGPictureIndex(segments[place].content), index.isValid(at: start, in: file),
            index.move(header: newStart - start, end: Self.size(of: segments[...]) + rest.count - file.count)
        else { return false }
        segments[place].content = index.content
        return true
    }

    /// The size of the beginning of the file with these segments.
    private static func size(of segments: ArraySlice<Segment>) -> Int {
        segments.reduce(2) { $0 + 4 + $1.content.count }
    }

    private mutating func addXMP(_ metadata: EmbeddedMetadata) -> Bool {
        let index = segments.firstIndex { $0.marker == 0xE1 && $0.content.starts(with: Self.xmpName) }
        let old = index.map { Array(segments[$0].content.dropFirst(Self.xmpName.count)) }
        guard let packet = metadata.packet(replacing: old), Self.xmpName.count + packet.count <= Self.largest else {
            return false
        }
        let segment = Segment(marker: 0xE1, content: Self.xmpName + packet)
        if let index { segments[index] = segment } else { segments.insert(segment, at: start) }
        return true
    }

    /// Adds the record to Photoshop's resources, unless they have one.
    private mutating func addIPTC(_ metadata: EmbeddedMetadata) -> Bool {
        guard let record = metadata.iptc else { return false }
        let resources = segments.indices.filter {
            segments[$0].marker == 0xED && segments[$0].content.starts(with: Self.photoshopName)
        }
        let all = resources.flatMap { segments[$0].content.dropFirst(Self.photoshopName.count) }
        guard !IPTCRecord(all).isPresent else { return false }
        let block = IPTCRecord.block(record)
        guard Self.photoshopName.count + block.count <= Self.largest else { return false }
        if let first = resources.first {
            let content = Self.photoshopName + block + segments[first].content.dropFirst(Self.photoshopName.count)
            // Resources may continue in the next segment, so none may come between.
            guard content.count <= Self.largest else { return false }
            segments[first].content = content
        } else {
            segments.insert(Segment(marker: 0xED, content: Self.photoshopName + block), at: startOfIPTC)
        }
        return true
    }

    /// The place after the segments that readers expect first: JFIF and EXIF.
    private var start: Int {
        segments.firstIndex { segment in
            segment.marker != 0xE0 && !(segment.marker == 0xE1 && segment.content.starts(with: Self.exifName))
        } ?? segments.count
    }

    private var startOfIPTC: Int {
        let last = segments.lastIndex { $0.marker == 0xE1 && $0.content.starts(with: Self.xmpName) }
        return max(start, last.map { $0 + 1 } ?? 0)
    }

    private var file: [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        for segment in segments {
            let length = segment.content.count + 2
            file += [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 0xFF)] + segment.content
        }
        return file + rest
    }
}

/// The parts of a C2PA manifest store in the segments of a JPEG.
struct JPEGManifest {
    private static let maxParts = 1000
    private static let headBytes = 16

    private var parts: [(number: Int, range: Range<Int>)] = []
    /// The number of the box that has the store; a JPEG may have others.
    private var instance: Int?

    /// Adds a part if an APP11 segment has one.
    mutating func read(_ segment: JPEGSegments.Segment, _ window: inout ByteWindow) throws(ImagingError) {
        guard segment.marker == 0xEB, segment.body.count > Self.headBytes, parts.count < Self.maxParts,
            let body = try window.content(segment.body, after: "JP")
        else { return }
        let number = try window.uint32(at: body.lowerBound + 2)
        let box = try window.uint16(at: body.lowerBound)
        if instance == nil {
            // The first part has the box's type, and then its description with the type of a manifest store.
            let head = Array(try window.bytes(segment.body).prefix(32))
            guard head.count == 32, head[12..<16].elementsEqual("jumb".utf8), head[24..<28].elementsEqual("c2pa".utf8)
            else { return }
            instance = box
        }
        guard box == instance else { return }
        // Each further part repeats the head of the box.
        let skipped = number == 1 ? 6 : 14
        if skipped < body.count { parts.append((number, body.dropFirst(skipped))) }
    }

    /// The ranges of the store's bytes, in order.
    var ranges: [Range<Int>] { parts.sorted { $0.number < $1.number }.map(\.range) }
}
