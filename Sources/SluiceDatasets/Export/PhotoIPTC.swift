// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceModel

/// The IPTC record of a photo (IIM 4, in UTF-8): the facts that its feed states.
///
/// Texts are cut at the lengths that the standard allows; XMP has them completely.
struct PhotoIPTC {
    /// The record's bytes; empty without facts.
    private(set) var bytes: [UInt8] = []

    init(of photo: Photo) {
        add(5, PhotoXMP.title(of: photo), limit: 64)
        for tag in photo.tags.map({ TagList(text: $0).tags }) ?? [] { add(25, tag, limit: 64) }
        if let date = photo.date, PhotoXMP.years.contains(date) {
            let digits = UTCTime(secondsSince1970: date).compactText.utf8.filter { (0x30...0x39).contains($0) }
            add(55, digits.prefix(8))
            add(60, digits.dropFirst(8) + Array("+0000".utf8))
        }
        add(80, photo.author, limit: 32)
        add(110, photo.attribution, limit: 32)
        add(116, photo.attribution ?? photo.license, limit: 128)
        add(120, photo.caption, limit: 2000)
        guard !bytes.isEmpty else { return }
        // The character set, and the version.
        bytes = [0x1C, 1, 90, 0, 3, 0x1B, 0x25, 0x47, 0x1C, 2, 0, 0, 2, 0, 4] + bytes
    }

    private mutating func add(_ dataset: UInt8, _ text: String?, limit: Int) {
        var kept: [UInt8] = []
        for scalar in (text ?? "").unicodeScalars where scalar.value >= 0x20 || scalar == "\n" {
            let encoded = Array(String(scalar).utf8)
            guard kept.count + encoded.count <= limit else { break }
            kept += encoded
        }
        if !kept.isEmpty { add(dataset, kept[...]) }
    }

    private mutating func add(_ dataset: UInt8, _ content: ArraySlice<UInt8>) {
        bytes += [0x1C, 2, dataset, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
}
