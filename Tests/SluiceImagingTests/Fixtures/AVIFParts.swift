// SPDX-License-Identifier: MIT

/// Adds a property or an item to an AVIF that libavif has written.
///
/// Places in the file are absolute, so nothing is moved: the old description becomes free space, and the content and a
/// new description follow at the file's end.
struct AVIFParts {
    private var file: [UInt8]
    /// The boxes of the description, in their order.
    private var boxes: [(type: String, content: [UInt8])] = []

    init(_ file: [UInt8]) {
        self.file = file
        guard let meta = Self.boxes(file[...]).first(where: { $0.type == "meta" }) else { return }
        boxes = Self.boxes(file[meta.content.dropFirst(4)]).map { ($0.type, Array(file[$0.content])) }
        self.file.replaceSubrange(meta.content.lowerBound - 4..<meta.content.lowerBound, with: "free".utf8)
    }

    /// Returns the file with a colour profile of its picture.
    func adding(profile: [UInt8]) -> [UInt8] { adding(property: "colr", Array("prof".utf8) + profile) }

    /// Returns the file with a property of its picture.
    func adding(property type: String, _ added: [UInt8]) -> [UInt8] {
        var parts = self
        parts.edit("iprp") { content in
            var properties = Self.boxes(content[...]).map { ($0.type, Array(content[$0.content])) }
            let old = Self.boxes(properties[0].1[...]).count
            properties[0].1 += FileBuilder.box(type, added)
            // Full box, number of items; the picture's number and its properties follow.
            properties[1].1[10] += 1
            properties[1].1.insert(UInt8(old + 1), at: 11)
            content = properties.flatMap { FileBuilder.box($0.0, $0.1) }
        }
        return parts.complete
    }

    /// Returns the file with an EXIF block.
    func adding(exif: [UInt8]) -> [UInt8] { adding("Exif", [0, 0, 0, 0] + exif, []) }

    /// Returns the file with an XMP packet, or with any other text in its place.
    func adding(xmp: [UInt8]) -> [UInt8] { adding("mime", xmp, Array("application/rdf+xml\0".utf8)) }

    /// Returns the file with an item that claims to be made from the picture and a gain map.
    func addingGainMap() -> [UInt8] { adding("tmap", [0], [], refersBy: "dimg") }

    /// Returns the file with an item that claims to be the transparency of another one.
    func adding(alphaOf item: UInt16) -> [UInt8] {
        adding("av01", [0], [], refersBy: "auxl", to: item) { number, parts in
            parts.edit("iprp") { content in
                var properties = Self.boxes(content[...]).map { ($0.type, Array(content[$0.content])) }
                let old = Self.boxes(properties[0].1[...]).count
                let name = Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8)
                properties[0].1 += FileBuilder.box("auxC", [0, 0, 0, 0] + name)
                // Full box, number of items; then each item's number and properties.
                properties[1].1[7] += 1
                properties[1].1 += number.bigEndianBytes + [1, UInt8(old + 1)]
                content = properties.flatMap { FileBuilder.box($0.0, $0.1) }
            }
        }
    }

    private func adding(
        _ type: String, _ content: [UInt8], _ mediaType: [UInt8], refersBy reference: String = "cdsc",
        to target: UInt16 = 1, _ change: (UInt16, inout AVIFParts) -> Void = { _, _ in }
    ) -> [UInt8] {
        var parts = self
        let offset = parts.file.count + 8
        parts.file += FileBuilder.box("mdat", content)
        var number: UInt16 = 0
        parts.edit("iinf") { content in
            content[5] += 1
            number = 100 + UInt16(content[5])
            let entry = [2, 0, 0, 0] + number.bigEndianBytes + [0, 0] + Array(type.utf8) + [0] + mediaType
            content += FileBuilder.box("infe", entry)
        }
        parts.edit("iloc") { places in
            places[7] += 1
            places += number.bigEndianBytes + [0, 0, 0, 1]
            places += UInt32(offset).bigEndianBytes + UInt32(content.count).bigEndianBytes
        }
        if !parts.boxes.contains(where: { $0.type == "iref" }) { parts.boxes.append(("iref", [0, 0, 0, 0])) }
        parts.edit("iref") { $0 += FileBuilder.box(reference, number.bigEndianBytes + [0, 1] + target.bigEndianBytes) }
        change(number, &parts)
        return parts.complete
    }

    private mutating func edit(_ type: String, _ change: (inout [UInt8]) -> Void) {
        guard let index = boxes.firstIndex(where: { $0.type == type }) else { preconditionFailure("no \(type)") }
        change(&boxes[index].content)
    }

    private var complete: [UInt8] {
        file + FileBuilder.box("meta", [0, 0, 0, 0] + boxes.flatMap { FileBuilder.box($0.type, $0.content) })
    }

    /// Returns the boxes in a part of a file.
    static func boxes(_ bytes: ArraySlice<UInt8>) -> [(type: String, content: Range<Int>)] {
        var found: [(type: String, content: Range<Int>)] = []
        var start = bytes.startIndex
        while start + 8 <= bytes.endIndex {
            let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 8, start + length <= bytes.endIndex else { break }
            found.append((String(decoding: bytes[start + 4..<start + 8], as: UTF8.self), start + 8..<start + length))
            start += length
        }
        return found
    }
}
