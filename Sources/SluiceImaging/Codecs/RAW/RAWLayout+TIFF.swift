// SPDX-License-Identifier: MIT

extension RAWLayout {
    private enum Tag {
        static let panasonicPreview = 0x002E
        static let colors = 0x0106
        static let stripStarts = 0x0111
        static let stripLengths = 0x0117
        static let tileStarts = 0x0144
        static let tileLengths = 0x0145
        static let previewStart = 0x0201
        static let previewLength = 0x0202
        static let makerNote = 0x927C
        // In an Olympus camera's notes.
        static let olympusSettings = 0x2020
        static let olympusPreviewStart = 0x0101
        static let olympusPreviewLength = 0x0102
    }

    /// The largest number of strips or tiles to read.
    private static let maxStrips = 4096
    /// Stands for the place of data that other tags describe, in a Panasonic RW2.
    private static let unknownStart = 0xFFFF_FFFF
    /// Colours from this number on are those of a sensor.
    private static let firstSensorColors = 32768

    /// Reads the directories of a TIFF file.
    init(directories window: inout ByteWindow) throws(ImagingError) {
        let directories = try RAWDirectories(&window)
        if let first = directories.all.first {
            orientation = try directories.number(EXIFBlock.orientationTag, in: first, &window)
        }
        for directory in directories.all {
            try addPreview(directories, directory, Tag.previewStart, Tag.previewLength, &window)
            let colors = try directories.number(Tag.colors, in: directory, &window)
            if colors ?? 0 < Self.firstSensorColors {
                try addPreview(directories, directory, Tag.stripStarts, Tag.stripLengths, &window)
            }
            try addData(directories, directory, Tag.stripStarts, Tag.stripLengths, &window)
            try addData(directories, directory, Tag.tileStarts, Tag.tileLengths, &window)
            if let entry = directory[Tag.panasonicPreview] {
                previews.append(entry.offset..<entry.offset + entry.count)
            }
            if let note = directory[Tag.makerNote] { try addOlympusPreview(directories, note, &window) }
        }
    }

    /// Adds the range that two entries of one number each describe.
    private mutating func addPreview(
        _ directories: RAWDirectories, _ directory: RAWDirectories.Directory, _ start: Int, _ length: Int,
        from base: Int = 0, _ window: inout ByteWindow
    ) throws(ImagingError) {
        guard directory[start]?.count == 1, let first = try directories.number(start, in: directory, &window),
            let count = try directories.number(length, in: directory, &window), first != Self.unknownStart
        else { return }
        previews.append(base + first..<base + first + count)
    }

    /// Extends the sensor's data by the strips or tiles that two entries describe.
    private mutating func addData(
        _ directories: RAWDirectories, _ directory: RAWDirectories.Directory, _ starts: Int, _ lengths: Int,
        _ window: inout ByteWindow
    ) throws(ImagingError) {
        guard let starts = directory[starts], let lengths = directory[lengths], starts.count == lengths.count,
            starts.count <= Self.maxStrips
        else { return }
        let places = try directories.numbers(starts, limit: starts.count, &window)
        let sizes = try directories.numbers(lengths, limit: lengths.count, &window)
        for (place, size) in zip(places, sizes) where place != Self.unknownStart {
            dataEnd = max(dataEnd, place + size)
        }
    }

    /// Adds the preview that the notes of an Olympus or OM camera describe, whose offsets count from the notes.
    private mutating func addOlympusPreview(
        _ directories: RAWDirectories, _ note: RAWDirectories.Entry, _ window: inout ByteWindow
    ) throws(ImagingError) {
        guard note.count >= 16 else { return }
        let start = String(decoding: try window.bytes(at: note.offset, count: 16), as: UTF8.self)
        let header = start.hasPrefix("OLYMPUS\0") ? 12 : start.hasPrefix("OM SYSTEM\0") ? 16 : 0
        guard header > 0 else { return }
        let notes = try directories.directory(at: note.offset + header, &window)
        guard let settings = try directories.number(Tag.olympusSettings, in: notes, &window) else { return }
        try addPreview(
            directories, directories.directory(at: note.offset + settings, &window), Tag.olympusPreviewStart,
            Tag.olympusPreviewLength, from: note.offset, &window)
    }
}
