// SPDX-License-Identifier: MIT

extension EXIFBlock {
    /// Where the main directory points to that of the shot.
    static let shotTag = 0x8769
    /// Where the main directory points to that of the place, which has GPS's facts.
    static let placeTag = 0x8825

    /// More does not fit into a segment of a JPEG, whose length has 16 bits and counts itself and the block's prefix.
    private static let mostKeptBytes = 65535 - 2 - 6

    private static let artistTag = 0x013B
    private static let copyrightTag = 0x8298
    private static let artistAndCopyright: Set<Int> = [artistTag, copyrightTag]

    /// A block of what is wanted of a block, for a picture that stands upright; empty if nothing is there.
    ///
    /// What a thumbnail tells of its original is listed here tag by tag. So nothing unknown gets through: not the
    /// original's size and small preview, not the camera's own notes, whose inner places would no longer be right, and
    /// not a place written where EXIF has none. What the block lacks of artist and copyright is taken from `credit`, if
    /// that is wanted.
    static func keeping(
        _ wanted: Set<ThumbnailOptions.Metadata>, of block: [UInt8], credit: Credit = Credit()
    ) throws(EXIFReader.Broken) -> [UInt8] {
        let reader = try EXIFReader(block)
        let writer = EXIFWriter(isBigEndian: reader.isBigEndian)
        let first = try reader.first
        var main: [EXIFReader.Entry] = []
        var shot: [EXIFReader.Entry] = []
        var place: [EXIFReader.Entry] = []
        if wanted.contains(.exif) || wanted.contains(.copyright) {
            let tags = wanted.contains(.exif) ? mainTags.union(artistAndCopyright) : artistAndCopyright
            main = try entries(in: reader, at: first) { tags.contains($0) }
        }
        if wanted.contains(.copyright) { add(credit, to: &main) }
        if wanted.contains(.exif) {
            main.append(EXIFReader.Entry(tag: orientationTag, type: 3, count: 1, value: writer.number(1, 2)))
            shot = try entries(in: reader, under: shotTag, at: first) { tag in shotTags.contains { $0.contains(tag) } }
        }
        if wanted.contains(.gps) {
            place = try entries(in: reader, under: placeTag, at: first) { (0...0x1F).contains($0) }
        }
        let kept = writer.block(main: main, shot: shot, place: place)
        guard kept.count <= mostKeptBytes else { throw EXIFReader.Broken(reason: "\(kept.count) bytes") }
        return kept
    }

    /// Writes what a directory does not say itself.
    private static func add(_ credit: Credit, to main: inout [EXIFReader.Entry]) {
        for (tag, text) in [(artistTag, credit.artist), (copyrightTag, credit.copyright)] {
            guard let text, !main.contains(where: { $0.tag == tag }) else { continue }
            // A zero ends a text.
            let value = text.utf8.filter { $0 != 0 } + [0]
            main.append(EXIFReader.Entry(tag: tag, type: 2, count: value.count, value: value))
        }
    }

    /// The entries of the directory to which the one at `directory` points; none if it does not.
    private static func entries(
        in reader: EXIFReader, under pointer: Int, at directory: Int, _ isWanted: (Int) -> Bool
    ) throws(EXIFReader.Broken) -> [EXIFReader.Entry] {
        for place in try reader.entries(at: directory) where try reader.tag(at: place) == pointer {
            return try entries(in: reader, at: try reader.number(at: place + 8, 4), isWanted)
        }
        return []
    }

    /// The wanted entries of a directory, each tag once.
    private static func entries(
        in reader: EXIFReader, at directory: Int, _ isWanted: (Int) -> Bool
    ) throws(EXIFReader.Broken) -> [EXIFReader.Entry] {
        var found: [EXIFReader.Entry] = []
        for place in try reader.entries(at: directory) {
            let tag = try reader.tag(at: place)
            guard isWanted(tag), !found.contains(where: { $0.tag == tag }), let entry = try reader.entry(at: place)
            else { continue }
            found.append(entry)
        }
        return found
    }

    /// Description, maker, model, resolution, software, date, host, rating, and what Windows writes.
    private static let mainTags: Set<Int> = [
        0x010E, 0x010F, 0x0110, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132, 0x013C, 0x4746, 0x4749, 0x9C9B, 0x9C9C, 0x9C9D,
        0x9C9E, 0x9C9F,
    ]

    /// Exposure, sensitivity, dates, the lens and its settings, comment, surroundings, the shot's conditions, who and
    /// with what.
    private static let shotTags: [ClosedRange<Int>] = [
        0x829A...0x829D, 0x8822...0x8824, 0x8827...0x8833, 0x9000...0x9012, 0x9201...0x920A, 0x9286...0x9286,
        0x9290...0x9292, 0x9400...0x9405, 0xA20B...0xA20B, 0xA215...0xA217, 0xA300...0xA302, 0xA401...0xA40C,
        0xA420...0xA420, 0xA430...0xA43C,
    ]
}

extension PictureHeader {
    /// What is to be kept of the EXIF block, and of what stands beside it; a broken block is a note, and not kept.
    func keptEXIF(
        _ wanted: Set<ThumbnailOptions.Metadata>, _ source: PictureBytes, _ notes: inout [String]
    ) throws(ImagingError) -> [UInt8] {
        let credit = wanted.contains(.copyright) ? try readCredit(source) : Credit()
        guard !wanted.isEmpty, exif != nil || credit != Credit() else { return [] }
        do throws(EXIFReader.Broken) {
            return try EXIFBlock.keeping(wanted, of: exif ?? EXIFBlock.empty, credit: credit)
        } catch {
            notes.append("EXIF not kept: \(error.reason)")
            guard credit != Credit() else { return [] }
            return (try? EXIFBlock.keeping([.copyright], of: EXIFBlock.empty, credit: credit)) ?? []
        }
    }
}
