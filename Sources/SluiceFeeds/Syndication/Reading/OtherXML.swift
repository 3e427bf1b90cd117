// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// XML that is neither a feed nor a page, such as a map (KML), a metalink or the listing of a store.
enum OtherXML {
    /// Returns the photos whose addresses the document has; throws the next step if it has none.
    static func photos(
        in root: XMLElement, from address: WebAddress?, token: CancellationToken
    ) throws(Failure) -> [Photo] {
        if let failure = failure(root, address) { throw failure }
        var seen: TextSet = []
        var photos: [Photo] = []
        for element in root.subtree {
            try token.check()
            let texts = [element.rawText] + element.attributes.sorted { $0.key < $1.key }.map(\.value)
            for url in texts.flatMap(TextFormat.photos) where PictureName.isPicture(url) && seen.insert(url) {
                photos.append(ListRecord.photo(at: url))
            }
        }
        guard photos.isEmpty else { return photos }
        throw Failure(.feedParse, "line 1: expected RSS or Atom, found <\(root.name.prefix(40))>")
    }

    /// Returns the failure of a known document, whose photos are elsewhere; `nil` for another.
    private static func failure(_ root: XMLElement, _ address: WebAddress?) -> Failure? {
        switch root.name {
        case "opml": return Failure(.feedParse, "this is a list of feeds (OPML), not a feed", hint: .listSources)
        case "plist":
            let strings = root.first("dict")?.children ?? []
            let key = strings.firstIndex { $0.name == "key" && $0.text == "URL" }
            return key.flatMap { strings.dropFirst($0 + 1).first?.text }.map(ForeignFile.shortcut)
        case "ListBucketResult":
            guard let bucket = root.text("Name"), let address else { return nil }
            // The bucket may be part of the host's name.
            let host =
                address.host.hasPrefix("\(bucket).") ? address.host.dropFirst(bucket.count + 1) : address.host[...]
            let port = [80, 443].contains(address.port) ? "" : ":\(address.port)"
            let endpoint = "\(address.scheme)://\(host)\(port)"
            return Failure(.feedParse, "this is the listing of a bucket", hint: .readBucket(bucket, endpoint: endpoint))
        default: return nil
        }
    }
}
