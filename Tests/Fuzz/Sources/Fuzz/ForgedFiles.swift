// SPDX-License-Identifier: MIT

internal import Foundation

@testable internal import SluiceCluster
@testable internal import SluiceEngine
@testable internal import SluiceFeeds
@testable internal import SluiceFiles
@testable internal import SluiceImaging
@testable internal import SluiceLedger
@testable internal import SluiceModel
@testable internal import SluiceStore
@testable internal import SluiceTransfer

extension TextParser {
    /// Readers of what someone else wrote, with a grammar that writes it as an attacker would.
    static let forgeries = [
        TextParser(name: "forged-plans", test: readPlan), TextParser(name: "forged-receipts", test: readReceipt),
        TextParser(name: "forged-attempts", test: readAttempt), TextParser(name: "forged-ledgers", test: readLedger),
        TextParser(name: "forged-replies", test: readReply), TextParser(name: "forged-xml", test: readXML),
    ]
}

/// Ends the process with a message, which an optimised build does not print for a precondition.
private func require(_ isMet: Bool, _ message: String = "a result is invalid") {
    if !isMet { fatalError(message) }
}

private let token = CancellationToken()
private let digits = String(repeating: "ab", count: 32)

private func parsed(_ text: String) -> JSON {
    guard let json = try? JSON(parsing: Array(text.utf8)) else { fatalError("a template is malformed: \(text)") }
    return json
}

// MARK: Plans and receipts

private let plan = parsed(
    """
    {"schema":1,"leftovers_of":"\(digits)","source":"https://a.example/feed.xml","feed":"feed","list":false,\
    "feed_fingerprint":"f","command":["mirror","https://a.example/feed.xml","--sizes=64"],"options":"o","rows":5,\
    "source_sha256":"\(digits)","shards":[{"rows":2,"hosts":1,"sha256":"\(digits)","shares":[{"host":"a.example","shards":2}]},\
    {"rows":3,"hosts":1,"sha256":"\(digits)"}]}
    """)

private let row = parsed(
    """
    {"seq":2,"page":1,"name":"00002-a","id":"2","variants":[{"name":"full","url":"https://a.example/2.jpg","width":9,"height":8,\
    "algorithm":"sha256","digest":"\(digits)"}],"caption":"c","width":9,"published":1769851815,\
    "invalid":{"cause":"feed-parse","detail":"d","url":"u"}}
    """)

private func readPlan(_ bytes: [UInt8]) {
    var forgery = JSONForgery(Choices(bytes))
    let forged = (try? JSON(parsing: forgery.forged(plan))).flatMap(Plan.init)
    require(!bytes.isEmpty || forged != nil, "an honest plan is read")
    if let plan = forged {
        guard let again = (try? JSON(parsing: plan.json)).flatMap(Plan.init) else {
            fatalError("a plan is readable")
        }
        require(again == plan, "a plan survives writing")
        require(plan.shards.allSatisfy { $0.rows >= 0 } && plan.rows >= 0, "no shard has fewer rows than none")
    }
    guard let planned = PlanRow.item(in: forgery.forged(row)[...], ofFeed: "feed") else {
        return require(!bytes.isEmpty, "an honest row is read")
    }
    require(planned.item.seq > 0 && planned.name.map(FileNames.isSafe) ?? true, "a row has a safe name")
    var writer = JSONWriter()
    PlanRow.write(planned, to: &writer)
    require(PlanRow.item(in: writer.bytes.dropLast()[...], ofFeed: "feed") == planned, "a row survives writing")
}

private let receipt = parsed(
    """
    {"schema":1,"plan":"\(digits)","shard":0,"attempt":"host-0123456789abcdef","version":"1","started":1769851815,"ended":1769851900,\
    "done":1,"skipped":0,"failed":1,"left":1,"bytes":900,"causes":{"timeout":1},"ledger":{"bytes":900,"sha256":"\(digits)"}}
    """)

private let manifestLine = parsed(
    """
    {"schema":1,"seq":12,"id":"7","feed":"demo","page":2,"collection":"c","state":"done","url":"https://a.example/7",\
    "final_url":"https://b.example/7","status":200,"file":"originals/7.jpg","bytes":132203,"sha256":"\(digits)","format":"jpeg",\
    "width":1080,"height":720,"orientation":1,"etag":"e","color":"#aabbcc","phash":"0123456789abcdef","caption":"c",\
    "thumbs":[{"size":256,"file":"thumbs/256/7.jpg","width":256,"height":171,"bytes":8211,"format":"jpeg","sha256":"\(digits)"}]}
    """)

private func readReceipt(_ bytes: [UInt8]) {
    var forgery = JSONForgery(Choices(bytes))
    if let receipt = (try? JSON(parsing: forgery.forged(receipt))).flatMap(ShardReceipt.init) {
        require(receipt.attempt.map { !$0.contains("/") && $0 != ".." } ?? true, "an attempt is a folder's name")
        require((try? JSON(parsing: receipt.json)).flatMap(ShardReceipt.init) != nil, "a receipt is readable")
        require(receipt.counts.ended >= 0)
    } else {
        require(!bytes.isEmpty, "an honest receipt is read")
    }
    if let entry = LedgerEntry(manifestLine: forgery.forged(manifestLine)) { check(entry) }
}

/// Does what verifications, merges and manifests do with an entry.
private func check(_ entry: LedgerEntry) {
    var counts = ShardCounts()
    counts.add(entry)
    counts.add(entry)
    for expected in ExpectedFile.all(of: entry) {
        _ = OutputPath.matches(entry.receipt ?? Receipt(.failed), named: "00001-a")
        _ = expected.file.path.hasPrefix("gallery/")
    }
    var writer = JSONWriter()
    for thumb in entry.receipt?.thumbs ?? [] { writer.object { thumb.write(to: &$0) } }
}

// MARK: Ledgers

/// A folder in memory, where the system has one, with an honest ledger.
private let home: (folder: Folder, path: String, ledger: [UInt8]) = {
    let parent = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let path = "\(parent)/sluice-forged-\(ProcessInfo.processInfo.processIdentifier)"
    do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let folder = try Folder(path)
        let ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(
            source: "demo", feed: "feed", options: "", words: ["mirror", "demo"], startedAt: 9)
        let photos = (1...3).map {
            Photo(
                id: "\($0)", variants: [Variant(name: "full", url: "https://a.example/\($0).jpg", width: 9, height: 8)])
        }
        let claims = try ledger.claim(Page(number: 1, photos: photos), in: run, naming: try NameTemplate("{seq}-{id}"))
        for claim in claims.prefix(2) {
            guard var entry = LedgerEntry(manifestLine: Array(honestLine.utf8))?.receipt else {
                fatalError("no receipt")
            }
            entry.url = claim.item.photo.variants[0].url
            try ledger.record(entry, for: claim.item)
        }
        try ledger.endRun(run, summary: Summary(), endedAt: 10)
        ledger.close()
        try FileManager.default.createDirectory(atPath: "\(path)/shards", withIntermediateDirectories: true)
        return (folder, path, Array(try Data(contentsOf: URL(filePath: "\(path)/\(Ledger.name)"))))
    } catch {
        fatalError("\(error)")
    }
}()

private var honestLine: String {
    var forgery = JSONForgery(Choices([]))
    return String(decoding: forgery.forged(manifestLine), as: UTF8.self)
}

private let columns: [(table: String, names: [String])] = [
    (
        "receipts",
        [
            "state", "cause", "detail", "failure_status", "failure_url", "variant", "url", "final_url", "status",
            "file", "bytes",
            "sha256", "format", "width", "height", "orientation", "etag", "last_modified", "color", "placeholder",
            "phash", "thumbs",
            "stamp", "exif", "usage", "seq",
        ]
    ),
    ("items", ["seq", "feed", "collection", "id", "page", "variants", "facts"]),
    ("runs", ["run", "source", "feed", "words", "started", "ended", "options", "summary"]),
    ("listings", ["run", "seq", "page"]), ("names", ["seq", "name"]), ("attempts", ["seq", "count"]),
    ("pages", ["run", "page", "next", "total"]), ("hosts", ["run", "host", "counts"]),
]

/// The text of a list of thumbnails.
private func forgedThumbs(_ choices: Choices) -> String {
    var forgery = JSONForgery(choices)
    return String(decoding: forgery.forged(.array(manifestLine["thumbs"]?.elements ?? [])), as: UTF8.self)
}

private func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''").replacing("\0", with: ""))'"
}

/// A statement that changes the ledger's rows, its schema or its settings.
private func statement(_ choices: inout Choices) -> String {
    let (table, names) = choices.pick(columns)
    let column = choices.pick(names)
    func literal(_ choices: inout Choices) -> String {
        switch choices.pick(8) {
        case 0, 1: "\(choices.number())"
        case 2: "NULL"
        case 3: "x'00ff41'"
        case 4: choices.pick(["1e308", "-1e308", "0.5", "9e999"])
        case 5: choices.pick(["zeroblob(100000)", "randomblob(50)", "'[' || quote(zeroblob(9)) || ']'"])
        case 6: quoted(forgedThumbs(choices))
        default: quoted(choices.text())
        }
    }
    switch choices.pick(16) {
    case 0...9: return "UPDATE \(table) SET \(column) = \(literal(&choices)) WHERE rowid % 3 <> \(choices.pick(4))"
    case 10: return "INSERT INTO \(table) SELECT * FROM \(table) WHERE rowid = \(choices.pick(4))"
    case 11: return "DELETE FROM \(table) WHERE rowid = \(choices.pick(4))"
    case 12:
        return choices.pick([
            "CREATE TRIGGER t AFTER UPDATE ON receipts BEGIN DELETE FROM items; END", "CREATE VIEW v AS SELECT 1",
            "CREATE INDEX i ON receipts (length(zeroblob(900000000)))", "CREATE TABLE t (a)",
            "ALTER TABLE receipts ADD COLUMN later AS (zeroblob(900000000))", "ALTER TABLE items RENAME TO other",
            "DROP TABLE names", "DROP TABLE receipts", "ALTER TABLE runs DROP COLUMN words",
        ])
    case 13: return "PRAGMA user_version = \(choices.pick([0, 1, 2, 5, 9, 99, -1]))"
    case 14: return "UPDATE \(table) SET \(column) = \(literal(&choices))"
    default:
        return choices.pick([
            "PRAGMA encoding = 'UTF-16'", "PRAGMA auto_vacuum = 2; VACUUM", "PRAGMA page_size = 512; VACUUM",
        ])
    }
}

/// Writes a forged ledger into the folder.
private func forgeLedger(_ choices: inout Choices) {
    let path = "\(home.path)/\(Ledger.name)"
    for suffix in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    guard FileManager.default.createFile(atPath: path, contents: Data(home.ledger)) else {
        fatalError("cannot write \(path)")
    }
    do throws(LedgerError) {
        let database = try Database(path)
        for _ in 0..<choices.pick(7) { try? database.execute(statement(&choices)) }
        try? database.execute("PRAGMA journal_mode = DELETE")
    } catch {
        fatalError("\(error)")
    }
    // Rarely, the file itself is damaged.
    guard choices.isUnusual(oneIn: 16), var data = try? Data(contentsOf: URL(filePath: path)), !data.isEmpty else {
        return
    }
    for _ in 0...choices.pick(20) {
        data[(choices.pick(256) << 8 | choices.pick(256)) % data.count] = UInt8(choices.pick(256))
    }
    try? data.write(to: URL(filePath: path))
}

private func readLedger(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    forgeLedger(&choices)
    if let ledger = try? Ledger(reading: home.folder) {
        defer { ledger.close() }
        try? ledger.checkIntegrity()
        _ = try? ledger.counts()
        for run in (try? ledger.runs()) ?? [] { _ = run.words.joined() }
        var count = 0
        try? ledger.forEachEntry { entry in
            check(entry)
            count += 1
        }
        require(!bytes.isEmpty || count == 3, "an honest ledger is read")
        _ = try? ShardCounts(in: ledger)
    }
    // A run also writes to it.
    guard let ledger = try? Ledger(in: home.folder, creates: false) else {
        return require(!bytes.isEmpty, "an honest ledger can be written")
    }
    defer { ledger.close() }
    do throws(LedgerError) {
        let run = try ledger.beginRun(source: "demo", feed: "feed", options: "", startedAt: 11)
        var photo = Photo(id: "2", variants: [Variant(name: "full", url: "https://a.example/2.jpg")])
        photo.caption = "new"
        let page = Page(number: 1, photos: [photo, Photo(id: "9", variants: photo.variants)])
        guard let naming = try? NameTemplate("{seq}-{id}") else { fatalError("no template") }
        for claim in try ledger.claim(page, in: run, naming: naming) {
            try ledger.record(claim.receipt ?? Receipt(.failed), for: claim.item)
        }
        try ledger.endRun(run, summary: Summary(), endedAt: 12)
    } catch {
        require(error.code != .internal, "\(error)")
    }
}

// MARK: Attempts

private func readAttempt(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    forgeLedger(&choices)
    var forgery = JSONForgery(choices)
    let lines = (1...3).map { number -> [UInt8] in
        let honest = #"{"seq":\#(number),"page":1,"name":"0000\#(number)-a","id":"\#(number)","variants":[]}"#
        return forgery.forged(parsed(honest)) + [10]
    }
    let rows = Array(lines.joined())
    let digest = SHA256.digest(of: rows)
    let text = """
        {"schema":1,"source":"demo","feed":"feed","list":false,"command":["mirror","demo"],"options":"o","rows":3,\
        "source_sha256":"\(digest)","shards":[{"rows":3,"hosts":1,"sha256":"\(digest)"}]}
        """
    guard let plan = Plan(parsed(text)) else { fatalError("the plan is valid") }
    let store = LocalStore(home.folder)
    guard FileManager.default.createFile(atPath: "\(home.path)/\(Plan.rowsName(of: 0))", contents: Data(rows)) else {
        fatalError("cannot write rows")
    }
    do {
        try RowFileReader.check(0, of: plan, in: store)
        let attempt = try AttemptResults(in: home.folder, Ledger.name)
        var reader = try ShardResultReader(0, of: plan, in: store, attempt)
        var counts = ShardCounts()
        defer { require(!bytes.isEmpty || counts.ended == 2, "an honest attempt is read") }
        while case let results = try reader.next(2), !results.isEmpty {
            for case let (planned, entry?) in results {
                require(entry.item.photo.id === planned.item.photo.id, "a result belongs to its photo")
                if let receipt = entry.receipt, OutputPath.matches(receipt, named: planned.name) {
                    for file in receipt.files {
                        require(!file.path.contains("..") && !file.path.hasPrefix("/"), "a file is in the mirror")
                    }
                }
                counts.add(entry)
                check(entry)
            }
        }
    } catch {
        // A forged shard is refused.
    }
}

// MARK: Replies of workers

private let request: (options: ThumbnailOptions, request: DecodeRequest, honest: DecodeReply) = {
    var options = ThumbnailOptions()
    options.sizes = [ThumbnailSize(width: 40, height: 30), ThumbnailSize(width: 8, height: 8)]
    (options.fit, options.format, options.sampling) = (.fill, .fixed(.png), .colors)
    let pixels = [UInt8](repeating: 90, count: 4 * 16 * 16)
    do {
        let picture = try ImageEncoder(.png).encode(pixels, width: 16, height: 16)
        let result = try Thumbnailer(options).thumbnails(of: picture)
        return (options, try DecodeRequest(result.info, options), DecodeReply(result))
    } catch {
        fatalError("\(error)")
    }
}()

private func readReply(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    var reply = request.honest
    for _ in 0..<choices.pick(5) {
        let index = choices.pick(max(1, reply.thumbnails.count))
        switch choices.pick(14) {
        case 0: if reply.thumbnails.indices.contains(index) { reply.thumbnails[index].width = choices.number() }
        case 1: if reply.thumbnails.indices.contains(index) { reply.thumbnails[index].height = choices.number() }
        case 2:
            if reply.thumbnails.indices.contains(index) {
                reply.thumbnails[index].format = choices.pick(ImageFormat.encodable)
            }
        case 3:
            if reply.thumbnails.indices.contains(index) {
                let count = reply.thumbnails[index].bytes.count
                let place = choices.pick(256) * max(0, count - 1) / 256
                if count > 0 { reply.thumbnails[index].bytes[place] = UInt8(choices.pick(256)) }
            }
        case 4:
            if reply.thumbnails.indices.contains(index) { reply.thumbnails[index].bytes = Array(choices.text().utf8) }
        case 5: if let last = reply.thumbnails.last { reply.thumbnails.append(last) }
        case 6: _ = reply.thumbnails.popLast()
        case 7: reply.color = choices.text()
        case 8: reply.placeholder = choices.text()
        case 9: reply.phash = choices.text()
        case 10: reply.sample = [UInt8](repeating: 7, count: abs(choices.number() % 70_000))
        case 11: reply.notes = [String](repeating: choices.text(), count: choices.pick([0, 1, 31, 33, 50_000 / 100]))
        case 12:
            reply.failure = ImagingError(
                choices.pick([.internal, .truncated, .cancelled, .unsupported]), choices.text())
        default: reply.times.decode = .nanoseconds(choices.number())
        }
    }
    var coder = WorkerCoder()
    guard (try? coder.code(&reply)) != nil else { return }
    var frame = coder.bytes
    for _ in 0..<choices.pick(4) where !frame.isEmpty {
        let place = (choices.pick(256) << 8 | choices.pick(256)) % min(frame.count, choices.pick([64, 1024, 65_536]))
        switch choices.pick(4) {
        case 0: frame[place] = UInt8(choices.pick(256))
        case 1: frame.removeSubrange(place..<min(frame.count, place + 1 + choices.pick(9)))
        case 2: frame.insert(contentsOf: choices.remaining(atMost: 9), at: place)
        default: frame.removeSubrange(place...)
        }
    }
    var decoded = DecodeReply()
    var reader = WorkerCoder(reading: frame)
    guard (try? reader.code(&decoded)) != nil, reader.isAtEnd,
        case .success(let result)? = request.request.result(in: decoded)
    else { return require(!bytes.isEmpty, "an honest reply is accepted") }
    require(result.thumbnails.map(\.size) == request.options.sizes, "a reply has the requested sizes")
    for (thumbnail, size) in zip(result.thumbnails, request.options.sizes) {
        require(thumbnail.width == size.width && thumbnail.height == size.height && thumbnail.format == .png)
        let info = try? ImageInfo(bytes: thumbnail.bytes)
        require(
            info?.width == size.width && info?.height == size.height && info?.format == .png, "a thumbnail is one")
    }
    require(result.color.map { $0.wholeMatch(of: /#[0-9a-f]{6}/) != nil } ?? true, "a colour is one")
    require(result.phash.map { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil } ?? true, "a hash is one")
    require(
        result.notes.count < 64 && result.notes.allSatisfy { $0.utf8.count <= 1000 }, "notes are few and short")
    let times = decoded.times.limited(to: .seconds(1))
    require(times.decode >= .zero && times.decode <= .seconds(1), "times are limited")
}

// MARK: XML

private let listing = XMLTemplate(
    "ListBucketResult",
    [
        XMLTemplate("Name", "bucket"), XMLTemplate("Prefix", "photos/"), XMLTemplate("EncodingType", "url"),
        XMLTemplate("IsTruncated", "true"), XMLTemplate("NextContinuationToken", "t"),
        XMLTemplate(
            "Contents",
            [
                XMLTemplate("Key", "photos/a.jpg"), XMLTemplate("LastModified", "2026-01-01T00:00:00Z"),
                XMLTemplate("Size", "9"),
                XMLTemplate("ETag", "&quot;abc&quot;"),
            ]), XMLTemplate("CommonPrefixes", [XMLTemplate("Prefix", "photos/b/")]),
    ])
private let refusal = XMLTemplate(
    "Error",
    [
        XMLTemplate("Code", "AccessDenied"), XMLTemplate("Message", "no"), XMLTemplate("Region", "eu-west-1"),
        XMLTemplate("Endpoint", "a.example"),
    ])
private let rss = XMLTemplate(
    "rss",
    [
        XMLTemplate(
            "channel",
            [
                XMLTemplate("title", "t"),
                XMLTemplate(
                    "item",
                    [
                        XMLTemplate("guid", "1"), XMLTemplate("title", "a"), XMLTemplate("link", "https://a.example/1"),
                        XMLTemplate("pubDate", "Mon, 02 Mar 2026 12:00:00 GMT"), XMLTemplate("enclosure", ""),
                        XMLTemplate("description", "&lt;img src=&quot;/1.jpg&quot; width=&quot;9&quot;&gt;"),
                        XMLTemplate("media:group", [XMLTemplate("media:content", "")]),
                    ]),
            ])
    ])

private func readXML(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    let kind = choices.pick(3)
    let document = [listing, refusal, rss][kind].forged(&choices)
    let response = ServiceResponse(
        status: kind == 1 ? 400 : 200, headers: HeaderFields(), body: document, bytes: document.count)
    if let page = try? S3Page(response, prefix: "photos/") {
        require(!bytes.isEmpty || page.objects.count == 1, "an honest listing is read")
        require(
            page.objects.allSatisfy { $0.key.utf8.starts(with: "photos/".utf8) && $0.size >= 0 }, "keys have the prefix"
        )
    }
    _ = S3Error(response).reason(bucket: "bucket")
    guard let origin = WebAddress("https://photos.example/feed/"),
        let page = try? SyndicationPage(document, from: origin, token: token)
    else { return }
    for photo in (try? page.page(1, token: token))?.photos ?? [] {
        require(!photo.id.isEmpty && (photo.invalidReason != nil || !photo.variants.isEmpty), "a photo has an id")
    }
}
