// SPDX-License-Identifier: MIT

extension RAWLayout {
    /// The first bytes of the 16 that name a `uuid` box.
    private enum BoxName {
        static let camera: [UInt8] = [0x85, 0xC0, 0xB6, 0x87]
        static let preview: [UInt8] = [0xEA, 0xF4, 0x2B, 0x5E]
        static let count = 16
    }

    /// Reads the boxes of a Canon CR3: one film track holds a preview in full size, and a box a smaller one.
    init(boxes window: inout ByteWindow) throws(ImagingError) {
        var hasFilm = false
        var boxes = Boxes(in: 0..<window.count)
        while let box = try boxes.next(in: &window) {
            dataEnd = box.content.upperBound
            if box.type == "moov" {
                hasFilm = true
                try addFilm(box, &window)
            } else if fallback == nil {
                fallback = try Self.preview(in: box, &window)
            }
        }
        guard hasFilm else { throw ImagingError(.truncated, "\(window.count) bytes") }
    }

    /// Returns the preview in a box, or `nil`.
    private static func preview(in box: Box, _ window: inout ByteWindow) throws(ImagingError) -> Range<Int>? {
        // A number of eight bytes follows the box's name.
        guard let content = try named(BoxName.preview, box, &window), content.count > 8,
            let preview = try Boxes.first("PRVW", in: content.dropFirst(8), &window), preview.content.count > 16
        else { return nil }
        let start = preview.content.lowerBound + 16
        return start..<start + (try window.uint32(at: start - 4))
    }

    /// Returns the content of a `uuid` box with a name; `nil` if the box is another.
    private static func named(
        _ name: [UInt8], _ box: Box, _ window: inout ByteWindow
    ) throws(ImagingError) -> Range<Int>? {
        guard box.type == "uuid", box.content.count > BoxName.count,
            try window.bytes(at: box.content.lowerBound, count: name.count).elementsEqual(name)
        else { return nil }
        return box.content.dropFirst(BoxName.count)
    }

    private mutating func addFilm(_ film: Box, _ window: inout ByteWindow) throws(ImagingError) {
        var boxes = Boxes(in: film.content)
        while let box = try boxes.next(in: &window) {
            if box.type == "trak" { try addSample(box, &window) }
            guard let camera = try Self.named(BoxName.camera, box, &window),
                let photo = try Boxes.first("CMT1", in: camera, &window), photo.content.count > 8
            else { continue }
            let directories = try RAWDirectories(at: photo.content.lowerBound, &window)
            if let first = directories.all.first {
                orientation = try directories.number(EXIFBlock.orientationTag, in: first, &window)
            }
        }
    }

    /// Adds the only sample of a track, which is a preview or the sensor's data.
    private mutating func addSample(_ track: Box, _ window: inout ByteWindow) throws(ImagingError) {
        guard let table = try Boxes.first(at: ["mdia", "minf", "stbl"], in: track.content, &window),
            let sizes = try Boxes.first("stsz", in: table.content, &window),
            let offsets = try Boxes.first("co64", in: table.content, &window)
        else { return }
        var fields = BoxFields(sizes.content)
        _ = try fields.number(4, in: &window)
        var size = try fields.number(4, in: &window)
        guard try fields.number(4, in: &window) == 1 else { return }
        if size == 0 { size = try fields.number(4, in: &window) }
        var places = BoxFields(offsets.content)
        _ = try places.number(4, in: &window)
        guard try places.number(4, in: &window) == 1 else { return }
        let start = try places.number(8, in: &window)
        previews.append(start..<start + size)
    }
}
