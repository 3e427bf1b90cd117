// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// One page of a listing.
struct S3Page: Sendable {
    var objects: [S3Object] = []
    /// The beginnings of keys that have more slashes, with their last slash; only if the listing is one of a folder.
    var folders: [String] = []
    /// The token of the next page; `nil` on the last one.
    var next: String?
}

/// Lists the keys with a prefix page by page; memory depends on the size of a page.
struct S3Listing: Sendable {
    /// The most bytes of a page: 1,000 keys of 1,024 bytes, each encoded with three characters, and their properties.
    private static let pageLimit = 8 << 20
    /// The most consecutive pages without keys.
    private static let maxEmptyPages = 100

    private let client: S3Client
    private let prefix: String
    private let isFolder: Bool
    /// The most keys of a page.
    private let pageSize: Int
    private var token: String?
    private var hasEnded = false
    private var emptyPages = 0
    private var tokens: Set<Fingerprint> = []
    private var lastKeys: TextSet = []

    /// Begins before the first page; with `isFolder`, keys below further slashes are summed up.
    init(_ client: S3Client, prefix: String, isFolder: Bool = false, pageSize: Int = 1000) {
        (self.client, self.prefix, self.isFolder, self.pageSize) = (client, prefix, isFolder, pageSize)
    }

    /// Loads the next page; `nil` after the last.
    ///
    /// Throws if the service repeats tokens or keys, because the listing would not end, or has no end.
    mutating func next() throws(S3Error) -> S3Page? {
        guard !hasEnded else { return nil }
        var request = S3Request("GET", query: [("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)])
        request.query.append(("max-keys", "\(pageSize)"))
        if isFolder { request.query.append(("delimiter", "/")) }
        if let token { request.query.append(("continuation-token", token)) }
        request.limit = Self.pageLimit
        let prefix = prefix
        let page = try client.send(request) { (response) throws(S3Error) in try S3Page(response, prefix: prefix) }
        try check(page)
        token = page.next
        hasEnded = page.next == nil
        return page
    }

    private mutating func check(_ page: S3Page) throws(S3Error) {
        let keys = page.objects.map(\.key) + page.folders
        let isRepeated = TextSet(keys).count < keys.count || !lastKeys.isDisjoint(with: keys)
        guard !isRepeated else { throw .invalid("the listing repeats keys") }
        lastKeys = TextSet(keys)
        emptyPages = keys.isEmpty ? emptyPages + 1 : 0
        guard emptyPages <= Self.maxEmptyPages else { throw .invalid("the listing has no end") }
        guard let next = page.next else { return }
        guard tokens.insert(Fingerprint(next)).inserted else { throw .invalid("the listing repeats its pages") }
    }
}

extension S3Page {
    init(_ response: ServiceResponse, prefix: String) throws(S3Error) {
        guard let list = ReplyElement(parsing: response.body, limit: response.body.count),
            list.name == "ListBucketResult"
        else { throw .invalid("the service sent an invalid listing") }
        let isEncoded = list["EncodingType"] == "url"
        func decoded(_ text: String?) throws(S3Error) -> String {
            guard let text, let key = isEncoded ? Self.decoded(text) : text, key.utf8.starts(with: prefix.utf8) else {
                throw .invalid("the listing has an invalid key")
            }
            return key
        }
        for entry in list.all("Contents") {
            let key = try decoded(entry["Key"])
            guard let size = entry["Size"].flatMap({ Int($0)?.within(Quantity.range) }) else {
                throw .invalid("the listing has no size for the key '\(key)'")
            }
            objects.append(
                S3Object(key: key, size: size, etag: entry["ETag"] ?? "", modified: entry["LastModified"]))
        }
        for entry in list.all("CommonPrefixes") { folders.append(try decoded(entry["Prefix"])) }
        guard list["IsTruncated"] == "true" else { return }
        guard let next = list["NextContinuationToken"], !next.isEmpty else {
            throw .invalid("the listing is incomplete, but has no next page")
        }
        self.next = next
    }

    /// Decodes a form's text, where a plus is a space; `nil` if it is malformed or not UTF-8.
    static func decoded(_ text: String) -> String? {
        let plain = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        let bytes = plain.percentDecoded
        // Each escape that was decoded left out two bytes.
        let escapes = plain.count { $0 == UInt8(ascii: "%") }
        guard plain.count - bytes.count == 2 * escapes else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
