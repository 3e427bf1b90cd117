// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceStore
import TestSupport

@testable import SluiceGallery

/// A folder for a sample mirror, with real pictures.
struct SampleMirror {
    let temporary: TemporaryFolder
    let folder: Folder

    init() throws {
        temporary = TemporaryFolder()
        folder = try Folder(temporary.path)
    }

    var address: String { page("index.html") }

    /// The URL of a file.
    func page(_ name: String) -> String { temporary.url.appending(path: name).absoluteString }

    /// The content of a file as text.
    func text(_ name: String) throws -> String { String(decoding: try temporary.bytes(of: name), as: UTF8.self) }

    /// Writes the gallery of these entries.
    @discardableResult
    func write(_ entries: some Sequence<LedgerEntry>, options: GalleryOptions = sampleOptions) throws -> GalleryChange {
        var writer = GalleryWriter(into: LocalStore(folder), options: options)
        for entry in entries { try writer.add(entry) }
        return try writer.finish()
    }

    /// Writes a few pictures of different shapes, which the entries of ``LedgerEntry/sample(_:)`` share.
    func addPictures() throws {
        try folder.makeFolder("originals")
        try folder.makeFolder("thumbs/256")
        for (index, shape) in sampleShapes.enumerated() {
            let shade = UInt8(40 + 30 * index)
            let large = TinyPNG(width: shape.width, height: shape.height, color: (shade, 120, 200 - shade)).bytes
            let small = TinyPNG(width: shape.width / 2, height: shape.height / 2, color: (shade, 120, 200)).bytes
            try folder.write(large, to: "originals/\(index).png", flushed: false)
            try folder.write(small, to: "thumbs/256/\(index).png", flushed: false)
        }
    }
}

/// The shapes of the sample pictures.
let sampleShapes: [(width: Int, height: Int)] = [(96, 64), (64, 96), (80, 80), (120, 50), (90, 60)]

/// The options of a sample gallery.
let sampleOptions: GalleryOptions = {
    var options = GalleryOptions(title: "Sample")
    options.isResumable = true
    options.flushed = false
    return options
}()

extension LedgerEntry {
    /// A photo that is done.
    static func sample(_ seq: Int) -> LedgerEntry {
        let index = seq % sampleShapes.count
        let shape = sampleShapes[index]
        var photo = Photo(id: "photo-\(seq)")
        photo.caption = "Caption \(seq)"
        photo.author = "Author \(seq % 7)"
        photo.pageURL = "https://example.org/photos/\(seq)"
        photo.license = "CC BY 4.0"
        photo.licenseURL = "https://creativecommons.org/licenses/by/4.0/"
        var receipt = Receipt(.done)
        receipt.original = StoredFile(path: "originals/\(index).png", bytes: 1024 * seq, sha256: "")
        receipt.format = "png"
        (receipt.width, receipt.height) = (shape.width, shape.height)
        receipt.color = "#3366cc"
        receipt.thumbs = [
            Thumb(
                size: "256", width: shape.width / 2, height: shape.height / 2, format: "png",
                file: StoredFile(path: "thumbs/256/\(index).png", bytes: 500, sha256: ""))
        ]
        return LedgerEntry(item: Item(seq: seq, feed: "demo", page: seq / 30 + 1, photo: photo), receipt: receipt)
    }

    static func failed(_ seq: Int, _ cause: Cause = .httpClientError(404), _ detail: String = "Not Found")
        -> LedgerEntry
    {
        var entry = LedgerEntry.sample(seq)
        entry.receipt = Receipt(.failed, failure: Failure(cause, detail))
        return entry
    }

    func with(_ change: (inout LedgerEntry) -> Void) -> LedgerEntry {
        var entry = self
        change(&entry)
        return entry
    }
}

/// Texts that an attacker could put into a caption, a name or a URL.
enum HostileText {
    static let all = [
        "<script>window.pwned=1;alert(1)</script>",
        "</script><script>window.pwned=1</script>",
        "<img src=x onerror=\"window.pwned=1\">",
        "\"><svg onload=window.pwned=1>",
        "' onmouseover='window.pwned=1' x='",
        "\" autofocus onfocus=\"window.pwned=1",
        "<!--", "-->", "]]>", "<![CDATA[", "</title><script>window.pwned=1</script>",
        "</noscript><script>window.pwned=1</script>", "</figcaption></figure><iframe src=javascript:window.pwned=1>",
        "javascript:window.pwned=1", "&lt;script&gt;", "&#60;b&#62;", "{{title}}", "{{figures}}", "${pwned}", "`",
        "line\u{2028}separator\u{2029}here", "\u{202E}desrever\u{202C}", "\u{2066}isolated", "a\u{0}b\u{1B}[31mred",
        "\\\"],alert(1)];//", "\\u003cscript\\u003e", "\u{FEFF}\u{FFFE}", "__proto__", "🏔️👩‍👩‍👧‍👧", "Z̷̡̛a̴l̸g̵o̶",
        "<a href=\"javascript:window.pwned=1\">x</a>", "<style>*{display:none}</style>", "<base href=//evil.test/>",
        "<meta http-equiv=refresh content='0;url=http://evil.test/'>", "<link rel=stylesheet href=//evil.test/a.css>",
        "%3Cscript%3E", "<ScRiPt>window.pwned=1</sCrIpT>", "<script/src=//evil.test/a.js>", "\u{3C}\u{0}script>",
    ]

    /// Pseudo-random texts, the same in every run.
    static func random(_ count: Int) -> [String] {
        var random = SplitMix64(seed: 1)
        let parts = [
            "<", ">", "\"", "'", "&", "/", "=", " ", "\n", "`", "script", "img", "src", "onerror", "x", "-->", "<!--",
            "{{", "}}", "\u{2028}", "\\", "]]>", "javascript:", "title", "\u{0}", "é", "</",
        ]
        return (0..<count).map { _ in
            (0...Int.random(in: 0..<12, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
                .joined()
        }
    }
}

/// Encodes a picture of one colour as an uncompressed PNG.
struct TinyPNG {
    let width: Int
    let height: Int
    let color: (UInt8, UInt8, UInt8)

    var bytes: [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var head = big(UInt32(width))
        head += big(UInt32(height))
        head += [8, 2, 0, 0, 0]
        return signature + chunk("IHDR", head) + chunk("IDAT", stream) + chunk("IEND", [])
    }

    /// The rows in one stored block of a zlib stream, which holds up to 65,535 bytes.
    private var stream: [UInt8] {
        let pixel = [color.0, color.1, color.2]
        var row: [UInt8] = [0]
        for _ in 0..<width { row += pixel }
        var rows: [UInt8] = []
        for _ in 0..<height { rows += row }
        let count = UInt16(rows.count)
        var stream: [UInt8] = [0x78, 0x01, 0x01]
        for number in [count, ~count] { stream += [UInt8(number & 255), UInt8(number >> 8)] }
        return stream + rows + big(adler(rows))
    }

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return big(UInt32(content.count)) + body + big(crc(body))
    }

    private func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    private func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
