// SPDX-License-Identifier: MIT

/// The items of a HEIF file (AVIF or HEIC): pictures and metadata, their properties, and how they refer to each other.
///
/// Reads only the file's structure, and limits every list before it grows.
struct HEIFItems {
    struct Item {
        /// The type, for example `av01`, `grid` or `Exif`.
        var type = ""
        /// The media type of a `mime` item.
        var mediaType = ""
        /// The byte ranges of the content, in order; they may lie beyond the end of the file.
        var extents: [Range<Int>] = []
        /// The indices of the properties.
        var properties: [Int] = []
        /// The indices of the properties without which the item must not be shown.
        var essentials: [Int] = []
    }

    /// A reference from one item to others, for example from a grid to its tiles (`dimg`).
    struct Reference {
        let type: String
        let from: Int
        let to: [Int]
    }

    private static let maxMetaBytes = 4 << 20
    // Larger than any grid of a camera. Libraries search items one by one.
    private static let maxItems = 4096
    private static let maxReferredItems = 16384
    private static let maxProperties = 4096
    /// Writers store equal tiles once, so small files may share more than large ones.
    static let maxSharedBytes = 1 << 20

    /// The items by their number.
    private(set) var items: [Int: Item] = [:]
    /// The number of the picture to show.
    private(set) var primary = 0
    private(set) var references: [Reference] = []
    private var properties: [Box] = []
    private var dataStart = 0

    /// Reads the items of a file whose top-level boxes include `meta`.
    init(_ window: inout ByteWindow) throws(ImagingError) {
        guard let meta = try Boxes.first("meta", in: 0..<window.count, &window) else {
            let code: ImagingError.Code = try Self.hasFrames(&window) ? .unsupported : .truncated
            throw ImagingError(code, "HEIF without a still picture")
        }
        guard meta.content.count <= Self.maxMetaBytes else {
            throw ImagingError(.badChunk, "meta of \(meta.content.count) bytes")
        }
        guard meta.content.count >= 4 else { throw ImagingError(.corrupt, "a box ends early") }
        let content = meta.content.dropFirst(4)
        if let data = try Boxes.first("idat", in: content, &window) { dataStart = data.content.lowerBound }
        var boxes = Boxes(in: content)
        while let box = try boxes.next(in: &window) {
            switch box.type {
            case "pitm": try readPrimary(box, &window)
            case "iinf": try readItems(box, &window)
            case "iloc": try readLocations(box, &window)
            case "iprp": try readProperties(box, &window)
            case "iref": try readReferences(box, &window)
            default: break
            }
        }
        guard items[primary] != nil else {
            // A sequence may describe itself as a whole, but no still picture.
            let code: ImagingError.Code = try Self.hasFrames(&window) ? .unsupported : .corrupt
            throw ImagingError(code, "HEIF without its primary item")
        }
    }

    private static func hasFrames(_ window: inout ByteWindow) throws(ImagingError) -> Bool {
        try Boxes.first("moov", in: 0..<window.count, &window) != nil
    }

    /// Returns the content of an item's first property of a type; `nil` if it has none.
    func property(_ type: String, of item: Int) -> Range<Int>? { propertyList(type, of: item).first }

    /// Returns the contents of an item's properties of a type.
    func propertyList(_ type: String, of item: Int) -> [Range<Int>] {
        (items[item]?.properties ?? []).compactMap { index in
            guard properties.indices.contains(index), properties[index].type == type else { return nil }
            return properties[index].content
        }
    }

    /// Throws `unsupported` if an item has an essential property of another type than these.
    func checkEssentials(of item: Int, known: Set<String>) throws(ImagingError) {
        for index in items[item]?.essentials ?? [] {
            let type = properties.indices.contains(index) ? properties[index].type : ""
            guard known.contains(type) else {
                throw ImagingError(.unsupported, "HEIF with the essential property '\(type)'")
            }
        }
    }

    /// Returns the items that a reference of a type from an item names.
    func targets(of type: String, from item: Int) -> [Int] {
        references.first { $0.type == type && $0.from == item }?.to ?? []
    }

    /// Returns the items that refer to an item by a reference of a type.
    func sources(of type: String, to item: Int) -> [Int] {
        references.filter { $0.type == type && $0.to.contains(item) }.map(\.from)
    }

    /// Throws an error unless the content of all items and all boxes of the file are there.
    static func checkCompleteness(of input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) {
        var window = ByteWindow(input)
        try Self(&window).checkExtents(count: input.count)
        // The frames of an animation are in no item, but in a box.
        var boxes = Boxes(in: 0..<input.count)
        while try boxes.next(in: &window) != nil { try watchdog.check() }
    }

    /// Throws `truncated` if an item's content lies beyond the end of the file, and `badChunk` if items of the
    /// picture that share content multiply its size.
    func checkExtents(count: Int) throws(ImagingError) {
        var total = 0
        let shown = shownItems
        for (number, item) in items {
            for extent in item.extents {
                guard extent.upperBound <= count else {
                    throw ImagingError(.truncated, "\(count) of \(extent.upperBound) bytes")
                }
                total += shown.contains(number) ? extent.count : 0
            }
        }
        guard total <= max(2 * count, Self.maxSharedBytes) else {
            throw ImagingError(.badChunk, "items of \(total) bytes in \(count)")
        }
    }

    /// The items of the picture: its tiles, and their transparency and that of the whole.
    private var shownItems: Set<Int> {
        var shown: Set = [primary]
        for reference in references where reference.type == "dimg" && reference.from == primary {
            shown.formUnion(reference.to)
        }
        for reference in references where reference.type == "auxl" && !shown.isDisjoint(with: reference.to) {
            shown.insert(reference.from)
        }
        for reference in references where reference.type == "dimg" && shown.contains(reference.from) {
            shown.formUnion(reference.to)
        }
        return shown
    }

    /// Shows the picture of which the primary item is a thumbnail (`thmb`), or a copy (`iden`).
    mutating func followPrimary() {
        if let picture = targets(of: "thmb", from: primary).first, items[picture] != nil { primary = picture }
        guard let item = items[primary], item.type == "iden", targets(of: "dimg", from: primary).count == 1,
            let picture = targets(of: "dimg", from: primary).first, items[picture] != nil
        else { return }
        func isChanged(_ item: Int) -> Bool { ["irot", "imir", "clap"].contains { property($0, of: item) != nil } }
        if isChanged(primary) {
            // Changes of a changed picture are not supported.
            guard !isChanged(picture) else { return }
            items[picture]?.properties.insert(contentsOf: item.properties, at: 0)
        }
        primary = picture
    }

    // MARK: Boxes

    private mutating func readPrimary(_ box: Box, _ window: inout ByteWindow) throws(ImagingError) {
        var fields = BoxFields(box.content)
        let version = try fields.number(4, in: &window) >> 24
        primary = try fields.number(version == 0 ? 2 : 4, in: &window)
    }

    private mutating func readItems(_ box: Box, _ window: inout ByteWindow) throws(ImagingError) {
        var fields = BoxFields(box.content)
        let version = try fields.number(4, in: &window) >> 24
        _ = try fields.number(version == 0 ? 2 : 4, in: &window)
        var entries = Boxes(in: fields.offset..<box.content.upperBound)
        while let entry = try entries.next(in: &window) {
            guard entry.type == "infe" else { continue }
            var fields = BoxFields(entry.content)
            let version = try fields.number(4, in: &window) >> 24
            guard version >= 2 else { continue }
            let number = try fields.number(version == 2 ? 2 : 4, in: &window)
            _ = try fields.number(2, in: &window)
            let type = try fields.text(4, in: &window)
            _ = try fields.text(in: &window)
            let mediaType = type == "mime" ? try fields.text(in: &window) : ""
            try change(number) {
                $0.type = type
                $0.mediaType = mediaType
            }
        }
    }

    private mutating func readLocations(_ box: Box, _ window: inout ByteWindow) throws(ImagingError) {
        var fields = BoxFields(box.content)
        let version = try fields.number(4, in: &window) >> 24
        let sizes = try fields.number(2, in: &window)
        let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexBytes = version == 0 ? 0 : sizes & 15
        guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4, 8].contains($0) }) else {
            throw ImagingError(.corrupt, "HEIF with numbers of an unknown size")
        }
        var extents = 0
        for _ in 0..<(try fields.number(version < 2 ? 2 : 4, in: &window)) {
            let number = try fields.number(version < 2 ? 2 : 4, in: &window)
            let method = version == 0 ? 0 : try fields.number(2, in: &window) & 15
            _ = try fields.number(2, in: &window)
            let base = try fields.number(baseBytes, in: &window) + (method == 1 ? dataStart : 0)
            var ranges: [Range<Int>] = []
            for _ in 0..<(try fields.number(2, in: &window)) {
                extents += 1
                guard extents <= Self.maxItems * 2 else { throw ImagingError(.badChunk, "too many parts of items") }
                _ = try fields.number(indexBytes, in: &window)
                let start = try base + fields.number(offsetBytes, in: &window)
                ranges.append(start..<start + (try fields.number(lengthBytes, in: &window)))
            }
            guard method <= 1 else { throw ImagingError(.unsupported, "HEIF items that consist of items") }
            try change(number) { $0.extents = ranges }
        }
    }

    private mutating func readProperties(_ box: Box, _ window: inout ByteWindow) throws(ImagingError) {
        guard let list = try Boxes.first("ipco", in: box.content, &window) else { return }
        var boxes = Boxes(in: list.content)
        while let property = try boxes.next(in: &window) {
            guard properties.count < Self.maxProperties else { throw ImagingError(.badChunk, "too many properties") }
            properties.append(property)
        }
        var others = Boxes(in: box.content)
        while let other = try others.next(in: &window) {
            if other.type == "ipma" { try readAssociations(other, &window) }
        }
    }

    private mutating func readAssociations(_ box: Box, _ window: inout ByteWindow) throws(ImagingError) {
        var fields = BoxFields(box.content)
        let flags = try fields.number(4, in: &window)
        let isWide = flags & 1 == 1
        for _ in 0..<(try fields.number(4, in: &window)) {
            let number = try fields.number(flags >> 24 == 0 ? 2 : 4, in: &window)
            var (indices, essentials): ([Int], [Int]) = ([], [])
            for _ in 0..<(try fields.number(1, in: &window)) {
                let association = try fields.number(isWide ? 2 : 1, in: &window)
                let essential = isWide ? 0x8000 : 0x80
                // Number 0 means none.
                let index = (association & (essential - 1)) - 1
                guard index >= 0 else { continue }
                indices.append(index)
                if association & essential != 0 { essentials.append(index) }
            }
            try change(number) {
                $0.properties += indices
                $0.essentials += essentials
            }
        }
    }

    private mutating func readReferences(_ box: Box, _ window: inout ByteWindow) throws(ImagingError) {
        var fields = BoxFields(box.content)
        let numberBytes = try fields.number(4, in: &window) >> 24 == 0 ? 2 : 4
        var boxes = Boxes(in: fields.offset..<box.content.upperBound)
        var referred = 0
        while let reference = try boxes.next(in: &window) {
            var fields = BoxFields(reference.content)
            let from = try fields.number(numberBytes, in: &window)
            let count = try fields.number(2, in: &window)
            referred += count + 1
            guard referred <= Self.maxReferredItems else { throw ImagingError(.badChunk, "too many references") }
            var to: [Int] = []
            for _ in 0..<count { to.append(try fields.number(numberBytes, in: &window)) }
            references.append(Reference(type: reference.type, from: from, to: to))
        }
    }

    private mutating func change(_ number: Int, _ body: (inout Item) -> Void) throws(ImagingError) {
        guard items[number] != nil || items.count < Self.maxItems else {
            throw ImagingError(.badChunk, "more than \(Self.maxItems) items")
        }
        body(&items[number, default: Item()])
    }
}
