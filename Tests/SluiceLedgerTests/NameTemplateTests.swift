// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceLedger

@Suite("Name templates", .timeLimit(.minutes(10))) struct NameTemplateTests {
    private func item(_ seq: Int = 12, _ change: (inout Photo) -> Void = { _ in }) -> Item {
        var photo = Samples.photo("a1", collection: "Lakes & Rivers")
        photo.caption = "A lake at dawn"
        photo.date = UTCTime.seconds(ofISO: "2024-02-29T12:30:05Z")
        photo.columns = #"{"SKU":"A/7","n":12}"#
        change(&photo)
        return Item(seq: seq, feed: "demo", page: 3, photo: photo)
    }

    @Test(
        "Each field expands to its value",
        arguments: [
            ("{collection}/{seq:05}-{slug}.{ext}", "Lakes & Rivers/00012-a-lake-at-dawn"), ("{id}", "a1"),
            ("{feed}/{page:3}/{seq}", "demo/003/12"), ("{author}: {caption}", "Ada Lovelace- A lake at dawn"),
            ("{caption:6}", "A lake"), ("{license}", "CC BY 4.0"), ("{width}x{height}", "4000x3000"),
            ("{name}", "raw"), ("x{seq}y", "x12y"), ("{date}", "2024-02-29"),
            ("{date:%Y/%m-%d %H.%M.%S}", "2024/02-29 12.30.05"), ("{columns.SKU}-{columns.n}", "A-7-12"),
            ("{columns.none}", "none"), ("v1.0/{seq}", "v1.0/12"),
        ])
    func fields(template: String, name: String) throws {
        #expect(try NameTemplate(template).name(of: item()) == name)
    }

    @Test("A missing fact becomes 'none', and {name} is the address's file name without its extension")
    func missing() throws {
        let bare = item { photo in
            photo = Photo(id: "x", variants: [Variant(name: "v", url: "https://h.test/a/IMG%200042.JPG?w=1#.x")])
        }
        let template = try NameTemplate("{collection}/{caption}-{width:4}-{name}")
        #expect(template.name(of: bare) == "none/none-none-IMG 0042")
    }

    @Test(
        "Invalid templates are rejected",
        arguments: [
            "", "/x", "x/", "a//b", "../{id}", "a/../b", "./x", "{nothing}", "{seq", "seq}", "{}", "{seq:}", "{seq:0}",
            "{seq:-1}", "{id:999}", "{ext}", "{ext}/{id}", "a/b/c/d/e/f/g/h/i", "{{seq}}", "{date:}", "{date:%Q}",
            "{date:%Y%}", "{date:2026}", "{columns.}",
        ])
    func invalid(template: String) {
        #expect(throws: InvalidText.self) { try NameTemplate(template) }
    }

    // MARK: Safety

    /// Spellings of paths out of a folder, device names, and texts with a special meaning to other programs.
    private static let spellings: [String] = {
        let ups = [
            "..", "../", "..\\", "./..", "....", "%2e%2e", "%252e%252e", "%c0%ae%c0%ae", "\u{FF0E}\u{FF0E}",
            "\u{2024}\u{2024}", ".\u{200B}.", "\u{200D}..", ".\u{202E}.", "..\0", "..\n", "..;", "..%00", "\\..", "..:",
            ". .", " ..", "..\t", "\u{FE52}\u{FE52}", "..\u{AD}",
        ]
        let slashes = [
            "/", "\\", "//", "%2f", "%5c", "\u{FF0F}", "\u{2215}", "\u{2044}", "\u{29F8}", "\u{FF3C}", "/\u{301}", ":",
        ]
        let paths = ups.flatMap { up in slashes.map { "\(up)\($0)\(up)\($0)etc\($0)passwd" } }
        return paths + [
            "/etc/passwd", "//host/share", "\\\\host\\share", "C:\\x", "C:x", "file:///etc", "~/x", "~root", "-rf",
            "--",
            ".", "..", "...", ".htaccess", "con", "CON.jpg", "con .txt", "nul.", "COM1", "lpt9.a.b", "com\u{B9}",
            "CONIN$",
            "aux\u{200B}", "\u{200B}", "\u{FEFF}", "a\u{0}b", "x.jpg", "X.PNG", "a ", "a.", " a", "a. .",
            "desktop.ini::$DATA",
        ]
    }()

    @Test("The list of spellings is long enough") func enough() { #expect(Self.spellings.count > 300) }

    @Test("Each path component is safe on every file system, for any field value")
    func safety() throws {
        let templates = try [
            "{id}", "{caption}/{id}", "{collection}/{author}/{caption}.{ext}", "{caption}{id}", "{name}", ".{id}",
            "{id}.",
            "-{caption} ", "{slug}/{license}", "{feed}/{caption:3}", "con{caption}",
        ].map { try NameTemplate($0) }
        for foreign in Self.spellings + HostileText.strings {
            var photo = Photo(id: foreign, variants: [Variant(name: "v", url: "https://h.test/\(foreign)")])
            (photo.caption, photo.author, photo.collection, photo.license) = (foreign, foreign, foreign, foreign)
            let item = Item(seq: 1, feed: "list", page: 1, photo: photo)
            for template in templates {
                let parts = template.name(of: item).split(separator: "/", omittingEmptySubsequences: false)
                for part in parts { #expect(Self.problem(with: String(part)) == nil, "\(foreign.debugDescription)") }
                for folder in parts.dropLast() { #expect(!folder.lowercased().hasSuffix(".jpg")) }
            }
        }
    }

    /// Returns the problem of a path component, determined independently of the implementation.
    private static func problem(with part: String) -> String? {
        let bad = CharacterSet.controlCharacters.union(.newlines).union(CharacterSet(charactersIn: "/\\:*?\"<>|"))
        if part.isEmpty || part == "." || part == ".." { return "not a name" }
        if part.utf8.count > 120 { return "too long" }
        if part.unicodeScalars.contains(where: bad.contains) { return "a special character" }
        if part.hasPrefix(".") || part.hasPrefix("-") || part.hasPrefix(" ") { return "invalid start" }
        if part.hasSuffix(".") || part.hasSuffix(" ") { return "invalid end" }
        if Array(part.utf8) != Array(part.precomposedStringWithCanonicalMapping.utf8) { return "not composed" }
        let device = part.split(separator: ".")[0].trimmingCharacters(in: .whitespaces).lowercased()
        let isDevice = device.wholeMatch(of: /con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]/) != nil
        return isDevice ? "a device" : nil
    }

    @Test("Letters of every script are kept, composed, and truncated between characters")
    func scripts() throws {
        let template = try NameTemplate("{caption}")
        #expect(template.name(of: item { $0.caption = "日本語の写真" }) == "日本語の写真")
        let composed = template.name(of: item { $0.caption = "e\u{301}te\u{301} \u{1112}\u{1161}\u{11AB}" })
        #expect(Array(composed.unicodeScalars) == Array("\u{E9}t\u{E9} \u{D55C}".unicodeScalars))
        let long = template.name(of: item { $0.caption = String(repeating: "写", count: 500) })
        #expect(long == String(repeating: "写", count: 40))
    }

    // MARK: In the ledger

    private func ledger() throws -> (Ledger, TemporaryFolder) {
        let folder = TemporaryFolder()
        return (try Ledger(in: Folder(folder.path)), folder)
    }

    private func names(of photos: [Photo], _ ledger: Ledger, _ template: NameTemplate) throws -> [String] {
        let run = try ledger.beginRun(source: "x", feed: "x", options: "", startedAt: 0)
        return try ledger.items(of: Page(number: 1, photos: photos), in: run, naming: template).map {
            try ledger.name(of: $0)
        }
    }

    @Test("Names that are equal on some file system are made unique, and each photo keeps its name")
    func clashes() throws {
        let (ledger, folder) = try ledger()
        defer { withExtendedLifetime(folder) {} }
        let captions = ["Straße", "STRASSE", "strasse", "e\u{301}", "É", "a.", "a", "A "]
        let photos = captions.enumerated().map { index, caption in
            var photo = Photo(id: "\(index)")
            photo.caption = caption
            return photo
        }
        let template = try NameTemplate("{caption}")
        let assigned = try self.names(of: photos, ledger, template)
        #expect(Set(assigned.map { $0.lowercased().uppercased() }).count == assigned.count)
        #expect([assigned[0], assigned[3], assigned[5]] == ["Straße", "é", "a"])
        #expect(assigned[1].wholeMatch(of: /STRASSE-[0-9a-f]{8}/) != nil, "\(assigned)")
        #expect(try names(of: photos.reversed(), ledger, template) == assigned.reversed())
    }

    @Test("Only the claim of a new item contains its assigned name, even if the template's name was taken")
    func claimedNames() throws {
        let (ledger, folder) = try ledger()
        defer { withExtendedLifetime(folder) {} }
        let page = Page(number: 1, photos: ["a", "b"].map { Samples.photo($0) })
        for isNew in [true, false] {
            let run = try ledger.beginRun(source: "x", feed: "x", options: "", startedAt: 0)
            let claims = try ledger.claim(page, in: run, naming: NameTemplate("same"))
            #expect(try claims.map(\.name) == claims.map { isNew ? try ledger.name(of: $0.item) : nil })
        }
    }

    @Test("An assigned name does not change with the feed or the template")
    func stability() throws {
        let (ledger, folder) = try ledger()
        defer { withExtendedLifetime(folder) {} }
        var photo = Samples.photo("a")
        let assigned = try self.names(of: [photo], ledger, NameTemplate("{caption}"))
        photo.caption = "Another caption"
        #expect(try names(of: [photo], ledger, NameTemplate("{id}")) == assigned)
        #expect(try names(of: [Samples.photo("b")], ledger, NameTemplate("{id}")) == ["b"])
    }

    @Test("Items without a recorded name use the names of their files")
    func older() throws {
        let (ledger, folder) = try ledger()
        defer { withExtendedLifetime(folder) {} }
        let run = try ledger.beginRun(source: "x", feed: "x", options: "", startedAt: 0)
        let items = try ledger.items(of: Page(number: 1, photos: ["a", "b", "c"].map { Samples.photo($0) }), in: run)
        try ledger.record(Samples.done("00001-old.name"), for: items[0])
        var thumbs = Samples.done("sub/00002-old")
        thumbs.original = nil
        try ledger.record(thumbs, for: items[1])
        #expect(
            try items.map { try ledger.name(of: $0) } == ["00001-old.name", "sub/00002-old", "00003-a-lake-at-dawn-c"])
    }

    @Test("The first files of a mirror are in one folder, later ones in one folder per thousand")
    func folders() {
        func name(_ seq: Int) -> String { NameTemplate.standard.name(of: item(seq)) }
        #expect(name(1) == "00001-a-lake-at-dawn" && name(4999) == "04999-a-lake-at-dawn")
        #expect(name(5000) == "05000/05000-a-lake-at-dawn" && name(123_456) == "123000/123456-a-lake-at-dawn")
        #expect(name(7_654_321) == "7000000/7654000/7654321-a-lake-at-dawn")
    }
}

@Suite("FileStem", .timeLimit(.minutes(10))) struct FileStemTests {
    private func stem(_ seq: Int, caption: String?, id: String = "x1") -> String {
        var photo = Photo(id: id)
        photo.caption = caption
        return FileStem(for: Item(seq: seq, feed: "demo", page: 1, photo: photo)).description
    }

    @Test(
        "A caption becomes readable words",
        arguments: [
            ("A lake at dawn", "a-lake-at-dawn"), ("  Crème brûlée,  Zürich!", "creme-brulee-zurich"),
            ("Łódź Straße Ærø Đà", "lodz-strasse-aero-da"), ("Don't l'été it’s", "dont-lete-its"),
            ("e\u{301}te\u{301}", "ete"), ("3×4", "3-4"), ("日本 Tokyo 2020", "tokyo-2020"), ("a_b.c/d\\e", "a-b-c-d-e"),
        ])
    func captions(caption: String, slug: String) {
        #expect(stem(12, caption: caption) == "00012-\(slug)")
    }

    @Test("The position has at least five digits")
    func positions() {
        #expect(stem(1, caption: "a") == "00001-a")
        #expect(stem(4999, caption: "a") == "04999-a" && stem(5012, caption: "a") == "05000/05012-a")
        #expect(stem(123_456, caption: "a") == "123000/123456-a")
        #expect(stem(12_345_678, caption: "a") == "12000000/12345000/12345678-a")
    }

    @Test("A caption without words falls back to the id, and then to a fixed word")
    func fallbacks() {
        #expect(stem(1, caption: nil, id: "Dwu85P9SOIk") == "00001-dwu85p9soik")
        #expect(stem(1, caption: "写真", id: "abc") == "00001-abc")
        #expect(stem(1, caption: "", id: "../..") == "00001-photo")
    }

    @Test("A long caption is cut between words, a long word anywhere")
    func cutting() {
        let long = stem(1, caption: "the quick brown fox jumps over the lazy dog again and again")
        #expect(long == "00001-the-quick-brown-fox-jumps-over-the-lazy-dog")
        #expect(stem(1, caption: String(repeating: "x", count: 1000)) == "00001-" + String(repeating: "x", count: 48))
    }

    @Test("A Windows device name is not used", arguments: ["con", "NUL", "com1", "LPT9", "aux.", "prn/"])
    func devices(caption: String) {
        #expect(stem(1, caption: caption).hasSuffix("-photo"))
    }

    @Test("Names that only resemble those of devices stay", arguments: ["cone", "comb", "com12", "lpt", "au"])
    func otherNames(caption: String) {
        #expect(stem(1, caption: caption) == "00001-\(caption)")
    }

    @Test("Names from untrusted text are safe on every file system", arguments: HostileText.strings.indices)
    func untrusted(index: Int) {
        for (caption, id) in [(HostileText.strings[index], "x"), ("", HostileText.strings[index])] {
            let name = stem(1, caption: caption, id: id)
            let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
            #expect(name.allSatisfy(allowed.contains) && name.utf8.count <= 6 + 48 && name.hasPrefix("00001-"))
            #expect(!name.hasSuffix("-") && !name.contains("--"))
        }
    }
}
