// SPDX-License-Identifier: MIT

/// Who made a picture, and whose it is, as a file may tell in several places.
struct Credit: Sendable, Hashable {
    var artist: String?
    var copyright: String?

    /// Takes what is lacking from another place.
    mutating func complete(from other: Credit) {
        artist = artist ?? other.artist
        copyright = copyright ?? other.copyright
    }
}

extension PictureHeader {
    /// Where the file tells of its picture beside EXIF; what is told there is read only if it is to be kept.
    struct CreditPlaces: Sendable, Hashable {
        var xmp: Range<Int>?
        var iptc: Range<Int>?
    }

    /// What XMP says of the picture, and where that says nothing, IPTC.
    func readCredit(_ source: PictureBytes) throws(ImagingError) -> Credit {
        var credit = Credit()
        if let place = creditPlaces.xmp { credit = XMPText(try read(place, source)).credit }
        if let place = creditPlaces.iptc { credit.complete(from: IPTCRecord(try read(place, source)).credit) }
        return credit
    }

    /// As much as any camera writes, of text that claims to be longer.
    private func read(_ place: Range<Int>, _ source: PictureBytes) throws(ImagingError) -> [UInt8] {
        try source.read(at: place.lowerBound, count: min(place.count, EXIFBlock.mostBytes))
    }
}
