// SPDX-License-Identifier: MIT

/// Functions on EXIF blocks: reads the orientation, and copies selected tags for thumbnails.
enum EXIFBlock {
    /// The maximum size of a block in bytes; cameras write less.
    static let maxBytes = 1 << 20

    /// Returns the number in a TIFF structure's orientation tag; `nil` without this tag.
    static func orientation(in block: [UInt8]) throws(EXIFReader.InvalidBlock) -> Int? {
        let reader = try EXIFReader(block)
        for offset in try reader.entries(at: reader.firstDirectory) where try reader.tag(at: offset) == orientationTag {
            guard try reader.number(at: offset + 2, 2) == 3 else {
                throw EXIFReader.InvalidBlock(reason: "the orientation is not a 16-bit integer")
            }
            return try reader.number(at: offset + 8, 2)
        }
        return nil
    }

    static let orientationTag = 0x0112

    static let empty: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]

    /// Creates a block that contains only the orientation.
    static func block(orientation: Int) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
        return header + [0, 1] + entry + [0, 0, 0, 0]
    }
}

extension EXIFBlock {
    /// The tag in the main directory that points to the Exif directory.
    static let exifDirectoryTag = 0x8769
    /// The tag in the main directory that points to the GPS directory.
    static let gpsDirectoryTag = 0x8825

    /// The largest block that fits into a JPEG segment, whose 16-bit length includes itself and the block's prefix.
    private static let maxKeptBytes = 65535 - 2 - 6

    private static let artistTag = 0x013B
    private static let copyrightTag = 0x8298
    private static let artistAndCopyright: Set<Int> = [artistTag, copyrightTag]

    /// Returns a block with the wanted tags for an upright thumbnail; empty if the original has none of them.
    ///
    /// Tags are copied only if they are on the lists below. Unknown tags, the original's size, its embedded preview,
    /// and the maker notes (whose internal offsets would become wrong) are dropped, as are GPS tags outside the GPS
    /// directory. If copyright is wanted, missing artist and copyright tags are taken from `credit`.
    static func select(
        _ wanted: Set<ThumbnailOptions.Metadata>, from block: [UInt8], credit: Credit = Credit()
    ) throws(EXIFReader.InvalidBlock) -> [UInt8] {
        let reader = try EXIFReader(block)
        let writer = EXIFWriter(isBigEndian: reader.isBigEndian)
        let first = try reader.firstDirectory
        var main: [EXIFReader.Entry] = []
        var exif: [EXIFReader.Entry] = []
        var gps: [EXIFReader.Entry] = []
        if wanted.contains(.exif) || wanted.contains(.copyright) {
            let tags = wanted.contains(.exif) ? mainTags.union(artistAndCopyright) : artistAndCopyright
            main = try entries(in: reader, at: first) { tags.contains($0) }
        }
        if wanted.contains(.copyright) { add(credit, to: &main) }
        if wanted.contains(.exif) {
            main.append(EXIFReader.Entry(tag: orientationTag, type: 3, count: 1, value: writer.number(1, 2)))
            exif = try entries(in: reader, under: exifDirectoryTag, at: first) { tag in
                exifTags.contains { $0.contains(tag) }
            }
        }
        if wanted.contains(.gps) {
            gps = try entries(in: reader, under: gpsDirectoryTag, at: first) { (0...0x1F).contains($0) }
        }
        let kept = writer.block(main: main, exif: exif, gps: gps)
        guard kept.count <= maxKeptBytes else { throw EXIFReader.InvalidBlock(reason: "\(kept.count) bytes") }
        return kept
    }

    /// Adds the artist and the copyright to a directory that lacks them.
    private static func add(_ credit: Credit, to main: inout [EXIFReader.Entry]) {
        for (tag, text) in [(artistTag, credit.artist), (copyrightTag, credit.copyright)] {
            guard let text, !main.contains(where: { $0.tag == tag }) else { continue }
            // EXIF text ends with a zero byte.
            let value = text.utf8.filter { $0 != 0 } + [0]
            main.append(EXIFReader.Entry(tag: tag, type: 2, count: value.count, value: value))
        }
    }

    /// Returns the wanted entries of the directory that a pointer tag refers to; none if there is no such tag.
    static func entries(
        in reader: EXIFReader, under pointer: Int, at directory: Int, _ isWanted: (Int) -> Bool
    ) throws(EXIFReader.InvalidBlock) -> [EXIFReader.Entry] {
        for offset in try reader.entries(at: directory) where try reader.tag(at: offset) == pointer {
            return try entries(in: reader, at: try reader.number(at: offset + 8, 4), isWanted)
        }
        return []
    }

    /// Returns the wanted entries of a directory; of duplicate tags, the first.
    static func entries(
        in reader: EXIFReader, at directory: Int, _ isWanted: (Int) -> Bool
    ) throws(EXIFReader.InvalidBlock) -> [EXIFReader.Entry] {
        var found: [EXIFReader.Entry] = []
        for offset in try reader.entries(at: directory) {
            let tag = try reader.tag(at: offset)
            guard isWanted(tag), !found.contains(where: { $0.tag == tag }), let entry = try reader.entry(at: offset)
            else { continue }
            found.append(entry)
        }
        return found
    }

    /// Description, make, model, resolution, software, date, host computer, rating, and the Windows tags.
    private static let mainTags: Set<Int> = [
        0x010E, 0x010F, 0x0110, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132, 0x013C, 0x4746, 0x4749, 0x9C9B, 0x9C9C, 0x9C9D,
        0x9C9E, 0x9C9F,
    ]

    /// Exposure, sensitivity, dates, lens and settings, comment, environment, shooting conditions, owner and equipment.
    private static let exifTags: [ClosedRange<Int>] = [
        0x829A...0x829D, 0x8822...0x8824, 0x8827...0x8833, 0x9000...0x9012, 0x9201...0x920A, 0x9286...0x9286,
        0x9290...0x9292, 0x9400...0x9405, 0xA20B...0xA20B, 0xA215...0xA217, 0xA300...0xA302, 0xA401...0xA40C,
        0xA420...0xA420, 0xA430...0xA43C,
    ]
}

extension ImageHeader {
    /// Returns the wanted part of the EXIF block and of the credits; an invalid block is dropped with a note.
    func selectEXIF(
        _ wanted: Set<ThumbnailOptions.Metadata>, _ input: ImageInput, _ notes: inout [String]
    ) throws(ImagingError) -> [UInt8] {
        let credit = wanted.contains(.copyright) ? try readCredit(input) : Credit()
        guard !wanted.isEmpty, exif != nil || credit != Credit() else { return [] }
        do throws(EXIFReader.InvalidBlock) {
            return try EXIFBlock.select(wanted, from: exif ?? EXIFBlock.empty, credit: credit)
        } catch {
            notes.append("EXIF not kept: \(error.reason)")
            guard credit != Credit() else { return [] }
            return (try? EXIFBlock.select([.copyright], from: EXIFBlock.empty, credit: credit)) ?? []
        }
    }
}
