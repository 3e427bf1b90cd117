// SPDX-License-Identifier: MIT

internal import Foundation

@testable internal import SluiceFeeds
@testable internal import SluiceFiles
@testable internal import SluiceImaging
@testable internal import SluiceLedger
@testable internal import SluiceModel
@testable internal import SluiceParquet
@testable internal import SluiceStore
@testable internal import SluiceTransfer

/// A parser of untrusted text, or several that read the same text.
struct TextParser {
    /// The target's name, which is also the name of its corpus in the repository.
    let name: String
    /// Parses one input, and checks what holds for every result.
    let test: @Sendable ([UInt8]) -> Void

    static let all =
        [
            TextParser(name: "addresses", test: parseAddresses), TextParser(name: "buckets", test: parseBucketTexts),
            TextParser(name: "c2pa", test: parseManifestStore),
            TextParser(name: "feeds", test: parseFeed),
            TextParser(name: "filters", test: parseFilter), TextParser(name: "headers", test: parseHeaders),
            TextParser(name: "html", test: parseWebPage),
            TextParser(name: "iiif", test: parseManifest), TextParser(name: "json", test: parseJSON),
            TextParser(name: "lists", test: parseList), TextParser(name: "manifests", test: parseManifestLine),
            TextParser(name: "metadata", test: parseMetadata), TextParser(name: "parquet", test: parseParquet),
            TextParser(name: "recipes", test: parseRecipe),
            TextParser(name: "replies", test: parseReply), TextParser(name: "robots", test: parseRobots),
            TextParser(name: "templates", test: parseTemplate),
        ] + forgeries
}

private let token = CancellationToken()
private let origin = WebAddress("https://photos.example/feed/")

/// A photo with a value in every field that filters and templates read.
private let photo: Photo = {
    var photo = Photo(
        id: "id/1", variants: [Variant(name: "full", url: "https://photos.example/a%20b.jpg?c=1", width: 9, height: 8)])
    for field in PhotoField.all {
        switch field.property {
        case .text(let path): photo[keyPath: path] = "../\(field.name) ä\u{202E}"
        case .number(let path): photo[keyPath: path] = 1_769_851_815
        }
    }
    return photo
}()

private func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// Splits an input at its first line end, for parsers with two arguments.
private func halves(_ bytes: [UInt8]) -> (String, String) {
    let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
    return (text(parts[0]), parts.count > 1 ? text(parts[1]) : "")
}

private func check(_ photos: [Photo]) {
    for photo in photos {
        precondition(photo.invalidReason != nil || !photo.variants.isEmpty, "a photo has an address or a reason")
        precondition(!photo.id.isEmpty, "a photo has an id")
    }
}

private func parseAddresses(_ bytes: [UInt8]) {
    let (first, second) = halves(bytes)
    for text in [first, "http://" + first] where PlainAddress(text) != nil {
        precondition(WebAddress(text) == WebAddress(parsing: text, relativeTo: nil), "libcurl reads it alike")
    }
    guard let address = WebAddress(first, relativeTo: WebAddress(second) ?? origin) else { return }
    let again = WebAddress(address.text)
    precondition(again?.host == address.host && again?.port == address.port, "the text names the same origin")
    precondition(again?.password == nil, "the text has no password")
    _ = address.pathComponents
    _ = try? AddressGuard().check(address)
    _ = NetworkAddress(first).map { AddressGuard().refusal(of: $0, for: address) }
    _ = Userinfo.split(first)
}

/// Parses replies of object stores, leases, locations and configuration files.
private func parseBucketTexts(_ bytes: [UInt8]) {
    let reply = ReplyElement(parsing: bytes, limit: bytes.count)
    let refusal = ServiceResponse(status: 400, headers: HeaderFields(), body: bytes, bytes: bytes.count)
    _ = S3Error(refusal).reason(bucket: "bucket")
    precondition(reply.map { !$0.name.isEmpty } ?? true, "an element has a name")
    if let lease = LeaseRecord(bytes) { precondition(LeaseRecord(lease.bytes) == lease, "leases survive encoding") }
    if let location = S3Location(text(bytes)) {
        precondition(S3Location(location.description) == location, "locations survive printing")
    }
    _ = AWSConfiguration.sections(in: text(bytes))
    _ = S3Page.decoded(text(bytes))
}

private func parseFeed(_ bytes: [UInt8]) {
    if let page = try? SyndicationPage(bytes, from: origin, token: token) {
        check((try? page.page(1, token: token))?.photos ?? [])
        _ = page.next
    }
    if let page = try? OAIPage(bytes, token: token) {
        var manifests: [OAIPage.Manifest] = []
        check((try? page.page(1, manifests: &manifests, token: token))?.photos ?? [])
    }
    _ = OAIRequest(text(bytes.prefix(200))).address
    _ = HTMLImages.addresses(in: text(bytes))
    let plain = plainText(fromHTML: text(bytes))
    precondition(plain.utf8.count <= bytes.count * 3, "text is not longer than its HTML")
}

/// Parses a web page, which the input states to have any encoding, and a site map.
private func parseWebPage(_ bytes: [UInt8]) {
    let charset = bytes.first.map { ["utf-8", "iso-8859-1", "shift_jis", "x"][Int($0) % 4] }
    precondition(HTMLTagFilter.bounded(bytes).count <= bytes.count * 2, "bounded tags are not longer")
    if let page = try? WebPageReader.page(of: bytes, charset: charset, token: token) {
        var reading = WebReading()
        reading.followsLinks = true
        let document = WebDocument(page: page, at: origin, reading)
        check(document.photos)
        for photo in document.photos {
            precondition(photo.variants.allSatisfy { WebAddress($0.url) != nil }, "a photo has web addresses")
        }
    }
    _ = ReplyKind(type: nil, name: "page", bytes: bytes)
    _ = SiteMap.document(robots: bytes, at: origin)
    if let map = try? SiteMap.document(bytes, followsLinks: true, token: token) { check(map.photos) }
}

private func parseFilter(_ bytes: [UInt8]) {
    _ = (try? Filter(text(bytes)))?.accepts(photo)
    _ = PositionRanges(text(bytes))?.contains(7)
    _ = PublishedDate.seconds(of: text(bytes))
    _ = Checksum(digits: text(bytes))
}

private func parseHeaders(_ bytes: [UInt8]) {
    var fields = HeaderFields()
    for line in bytes.split(separator: 10) { fields.add(line: text(line)) }
    _ = RateLimit(fields, now: 1_769_851_815)
    _ = RobotsTag.refusal(in: fields.all("x-robots-tag"), agent: "Sluice", now: 1_769_851_815)
    _ = parseRetryAfter(fields["retry-after"], now: 1_769_851_815)
    _ = LinkHeader(fields.all("link"))["next"].flatMap { WebAddress($0, relativeTo: origin) }
    _ = CacheValidator(fields)
    if let range = ContentRange(fields["content-range"]) {
        precondition(range.first <= range.last && range.total ?? .max > range.last)
        _ = range.isRest(from: 1, of: 2)
    }
}

private func parseManifest(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes) else { return }
    let document = IIIFDocument(json: json)
    var manifest = IIIFManifest(document)
    for page in manifest.externalPages.prefix(3) { manifest.add(.success(document), at: page) }
    check((try? manifest.photos(token: token)) ?? [])
    _ = IIIFCollection(document)
}

private func parseJSON(_ bytes: [UInt8]) {
    let (line, column) = JSON.location(of: ["a", "[1]", "b"], in: bytes)
    precondition(line >= 1 && column >= 1)
    guard let json = try? JSON(parsing: bytes) else { return }
    _ = json["a"]?.text
    _ = json["a"]?.integer
    _ = json.elements?.first?.integer
}

/// The file that a list is read from; in memory where the system has such a folder.
private let listPath: String = {
    let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    return "\(folder)/sluice-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
}()

private func parseList(_ bytes: [UInt8]) {
    defer { try? FileManager.default.removeItem(atPath: listPath) }
    guard FileManager.default.createFile(atPath: listPath, contents: Data(bytes)), let file = try? InputFile(listPath)
    else { fatalError("cannot write and read \(listPath)") }
    do throws(Failure) {
        var buffer = ListBuffer(FileInput(file), token: token)
        var format = try ListFormatDetector.detect(&buffer, options: ListOptions())
        var more: [Photo] = []
        // A small compressed list may have very many records.
        for _ in 0..<10_000 {
            guard let photo = try format.next(from: &buffer, more: &more) else { break }
            check([photo] + more)
            more = []
        }
    } catch {
        precondition(error.cause == .feedParse, "\(error)")
    }
}

private func parseManifestLine(_ bytes: [UInt8]) {
    _ = LedgerEntry(manifestLine: bytes)
    _ = ResumeNote(bytes)
}

private func parseMetadata(_ bytes: [UInt8]) {
    _ = try? EXIFBlock.orientation(in: bytes)
    _ = XMPPacket(bytes).credit
    _ = XMPPacket(bytes).dataMining
    _ = IPTCRecord(bytes)
}

private func parseManifestStore(_ bytes: [UInt8]) {
    var store = ManifestStore(bytes)
    for assertion in (try? store.trainingAssertions()) ?? [] {
        precondition(assertion.name.hasSuffix(".training-mining") && assertion.value.contains("="))
    }
    _ = CBORItem(parsing: bytes[...])
}

private func parseParquet(_ bytes: [UInt8]) {
    let path = listPath + ".parquet"
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)),
        let file = try? OpenFile.reading(path, followsLink: true)
    else { fatalError("cannot write and read \(path)") }
    do throws(ParquetError) {
        var reader = try ParquetReader(file)
        try reader.select(reader.fields.filter { $0.problem == nil })
        // A small file may have very many rows without values.
        for _ in 0..<10_000 {
            guard let row = try reader.next() else { break }
            precondition(row.values.count <= reader.fields.count, "a row has the selected columns")
        }
    } catch {
        if case .file(let error) = error { fatalError("\(error)") }
    }
}

private func parseRecipe(_ bytes: [UInt8]) {
    guard let recipe = try? Recipe(bytes) else { return }
    let record = JSON.object([
        JSON.Member(name: "id", value: .number("7")), JSON.Member(name: "url", value: .string("/a")),
    ])
    guard recipe.photo.accepts(record, of: record) else { return }
    for listing in recipe.listings {
        checkPhotos(from: record, of: record, recipe, listing)
        _ = listing.address(below: recipe.base, argument: "a/b", common: recipe.parameters).text
        _ = recipe.records(of: listing).path.values(in: record)
    }
}

private let builtInRecipes = BuiltInRecipes.all

private func checkPhotos(from record: JSON, of reply: JSON, _ recipe: Recipe, _ listing: RecipeListing) {
    let found = try? recipe.photo.photos(
        from: record, of: reply, at: origin, position: "record 1", parts: listing.parts, token: CancellationToken())
    if let found { check(found.photos) }
}

/// Reads a reply with the built-in recipe that its length selects.
private func parseReply(_ bytes: [UInt8]) {
    guard let reply = try? JSON(parsing: bytes) else { return }
    let recipe = builtInRecipes[bytes.count % builtInRecipes.count]
    for listing in recipe.listings {
        let values = recipe.records(of: listing).path.values(in: reply)
        for record in values.flatMap({ $0.elements ?? [$0] }) where recipe.photo.accepts(record, of: reply) {
            checkPhotos(from: record, of: reply, recipe, listing)
        }
        let paging = recipe.paging(of: listing)
        _ = paging.path?.text(in: reply)
        _ = paging.total?.value(in: reply)?.integer
    }
}

private func parseRobots(_ bytes: [UInt8]) {
    let rules = RobotsRules(bytes, agent: "Sluice")
    precondition(rules.allows("/robots.txt"))
    _ = rules.allows("/photos/a.jpg?size=2")
    precondition(ReservationFile(bytes).statements(about: "/photos/a%2Fb.jpg?$").count <= 2)
}

private func parseTemplate(_ bytes: [UInt8]) {
    let (first, second) = halves(bytes)
    var item = Item(seq: 7, feed: second, page: 1, photo: photo)
    item.photo.caption = second
    if let name = (try? NameTemplate(first))?.name(of: item) {
        for part in name.split(separator: "/", omittingEmptySubsequences: false) {
            precondition(!part.isEmpty && !part.hasPrefix(".") && part.utf8.count <= 255, "a safe name: \(name)")
            precondition(!part.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "printable: \(name)")
        }
    }
    let record = JSON.object([JSON.Member(name: "a", value: .array([.string(second)]))])
    _ = FieldTemplate(first)?.text(in: FieldContext(record))
    _ = FieldPath(first)?.values(in: record)
}
