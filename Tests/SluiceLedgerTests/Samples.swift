// SPDX-License-Identifier: MIT

import SluiceLedger
import SluiceModel

/// Sample photos and receipts with every fact set to a different value.
enum Samples {
    static func photo(_ id: String, collection: String? = nil) -> Photo {
        var photo = Photo(
            id: id,
            variants: [
                Variant(name: "raw", url: "https://photos.example/\(id)/raw?a=1&b=<2>", width: 4000, height: 3000),
                Variant(name: "small", url: "https://photos.example/\(id)/small"),
            ])
        photo.width = 4000
        photo.height = 3000
        photo.caption = "A lake at dawn, \"\(id)\""
        photo.author = "Ada Lovelace"
        photo.authorURL = "https://photos.example/@ada"
        photo.pageURL = "https://photos.example/photos/\(id)"
        photo.license = "CC BY 4.0"
        photo.licenseURL = "https://creativecommons.org/licenses/by/4.0/"
        photo.attribution = "Photo by Ada Lovelace"
        photo.collection = collection
        photo.color = "#112233"
        photo.placeholder = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
        photo.ping = "https://photos.example/\(id)/download"
        return photo
    }

    static func page(_ number: Int, _ ids: [String]) -> Page {
        Page(number: number, photos: ids.map { photo($0) }, next: Cursor(rawValue: "\(number + 1)"), total: 300)
    }

    static func done(_ stem: String) -> Receipt {
        var receipt = Receipt(.done)
        receipt.variant = "raw"
        receipt.url = "https://photos.example/raw"
        receipt.finalURL = "https://cdn.example/raw"
        receipt.status = 200
        receipt.original = StoredFile(path: "originals/\(stem).jpg", bytes: 132_203, sha256: hash("a"))
        receipt.format = "jpeg"
        receipt.width = 1080
        receipt.height = 720
        receipt.orientation = 6
        receipt.etag = "\"abc\""
        receipt.lastModified = "Sat, 31 Jan 2026 12:00:00 GMT"
        receipt.color = "#aabbcc"
        receipt.placeholder = "blur"
        receipt.phash = "0123456789abcdef"
        receipt.stamp = "1.2.3"
        receipt.thumbs = [
            Thumb(
                size: "256", width: 256, height: 171, format: "jpeg",
                file: StoredFile(path: "thumbs/256/\(stem).jpg", bytes: 8211, sha256: hash("b"))),
            Thumb(
                size: "x400", width: 600, height: 400, format: "webp",
                file: StoredFile(path: "thumbs/x400/\(stem).webp", bytes: 20_000, sha256: hash("c"))),
        ]
        return receipt
    }

    static func failed(_ cause: Cause) -> Receipt {
        var receipt = Receipt(
            .failed, failure: Failure(cause, "3 of 9 bytes", status: 404, finalURL: "https://x.example/"))
        receipt.url = "https://photos.example/raw"
        return receipt
    }

    private static func hash(_ digit: String) -> String { String(repeating: digit, count: 64) }
}

/// Untrusted strings that have broken programs before.
enum HostileText {
    static let strings: [String] = [
        "' OR 1=1; DROP TABLE items; --", "\"); DELETE FROM receipts; --", "?1", "\0", "a\0b", "../../etc/passwd",
        "..\\..\\windows", "/etc/passwd", "C:\\x", "con", "NUL", "com1", "lpt9.jpg", ".htaccess", "-rf", "~root",
        "$(reboot)",
        "`reboot`", "%2e%2e%2f", "\u{202E}gpj.exe", "\u{1B}[31mred\u{7}", "\u{9B}2J", "line\nbreak\r\n", "\t", " ",
        "   .  ", "<script>alert(1)</script>", "=1+1", "+1", "-1", "@SUM(A1)", "\u{FEFF}bom", "\u{FFFF}", "😀👩‍👩‍👧‍👦🇦🇶",
        "e\u{301}", "é", "Ⅷ", "ﬁ", "日本語の写真", "Ω≈ç√∫", "a\u{300}\u{301}\u{302}", String(repeating: "a", count: 5000),
        String(repeating: "word ", count: 1000), String(repeating: "\u{301}", count: 500), "a/b", "a\u{2028}b",
        "NULL", "undefined", "{\"a\":[1", "\\", "\\u0000", "\"", "'", ",", ";", "\u{10FFFF}",
    ]
}

extension Ledger {
    /// Claims a page and returns only its items.
    func items(
        of page: Page, in run: LedgerRun, naming: NameTemplate? = nil, noting note: (Photo) -> Void = { _ in }
    ) throws(LedgerError) -> [Item] {
        try claim(page, in: run, naming: naming, noting: note).map(\.item)
    }

    /// Returns the current claim of an item.
    func claim(_ item: Item) throws(LedgerError) -> Claim {
        try claim(positions: [item.seq])[0]
    }
}
