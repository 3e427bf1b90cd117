// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A number that tells whether what a feed says of a photo has changed since it was written down, or two names are one.
///
/// FNV-1a, because it must be the same in every run; two texts with one number are a matter of chance and only keep an
/// old caption or make a name longer, so nothing stronger is needed.
struct Fingerprint {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The number for all of a photo's facts but its key.
    init(of photo: Photo) {
        for variant in photo.variants {
            add(variant.name)
            add(variant.url)
            add(variant.width)
            add(variant.height)
        }
        add(photo.width)
        add(photo.height)
        for text in [
            photo.caption, photo.author, photo.authorURL, photo.pageURL, photo.license, photo.licenseURL,
            photo.attribution, photo.color, photo.placeholder,
        ] { add(text) }
        // Later facts: photos without them keep the number that ledgers have.
        if let ping = photo.ping { add(ping) }
        if let date = photo.date { add("date \(date)") }
        if let camera = photo.camera { add("camera \(camera)") }
    }

    /// The number for some texts.
    init(of texts: [String]) {
        for text in texts { add(text) }
    }

    /// Eight hexadecimal digits of the number.
    var short: String {
        let digits = String(UInt32(truncatingIfNeeded: hash >> 32), radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// The number as SQLite keeps it.
    var value: Int { Int(truncatingIfNeeded: hash) }

    private mutating func add(_ text: String?) {
        // Neither byte is ever part of UTF-8, so that no two lists of facts run together into the same bytes.
        guard let text else { return add(byte: 0xFE) }
        for byte in text.utf8 { add(byte: byte) }
        add(byte: 0xFF)
    }

    private mutating func add(_ number: Int?) {
        add(number.map(String.init))
    }

    private mutating func add(byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
