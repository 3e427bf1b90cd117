// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
package import SluiceStore

/// Reads `manifest.jsonl` line by line, to restore a lost ledger.
package struct ManifestReader: ~Copyable {
    /// The maximum line length; Sluice writes no longer lines.
    private static let maxLineLength = 16 << 20
    private static let chunkSize = 1 << 20

    private let file: OpenFile
    private var offset = 0
    private var buffer: [UInt8] = []
    private var start = 0
    /// The number of invalid lines so far.
    package private(set) var unreadable = 0

    /// Opens the manifest of a mirror.
    package init(in store: any Store) throws(FileError) {
        file = try store.open(ManifestWriter.names[0])
    }

    /// The next entry; `nil` at the end.
    package mutating func next() throws(FileError) -> LedgerEntry? {
        while let line = try line() {
            if let entry = LedgerEntry(manifestLine: line) { return entry }
            unreadable += 1
        }
        return nil
    }

    private mutating func line() throws(FileError) -> [UInt8]? {
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            buffer.removeFirst(start)
            start = 0
            let more = buffer.count > Self.maxLineLength ? [] : try file.read(at: offset, count: Self.chunkSize)
            offset += more.count
            guard !more.isEmpty else {
                // A last line without a newline is truncated.
                if !buffer.isEmpty { unreadable += 1 }
                buffer = []
                return nil
            }
            buffer += more
        }
    }
}

extension LedgerEntry {
    /// Parses a manifest line; returns `nil` if it is invalid.
    init?(manifestLine line: [UInt8]) {
        guard let json = try? JSON(parsing: line), json["schema"]?.integer == 1, let seq = json["seq"]?.quantity,
            seq > 0, let id = json["id"]?.text, let feed = json["feed"]?.text,
            let state = json["state"]?.text.flatMap(Receipt.State.init)
        else { return nil }
        var photo = Photo(id: id)
        for field in PhotoField.all where field.isInManifest {
            switch field.property {
            case .text(let path) where field.kind == .object: photo[keyPath: path] = json[field.name]?.serialized
            case .text(let path): photo[keyPath: path] = json[field.name]?.text
            case .number(let path): photo[keyPath: path] = json[field.name]?.integer
            }
        }
        self.init(item: Item(seq: seq, feed: feed, page: json["page"]?.quantity ?? 1, photo: photo), receipt: nil)
        if json["cause"]?.text != Cause.deferred.name { receipt = Receipt(state, inManifest: json) }
    }
}

extension PhotoField {
    /// Whether the manifest has the feed's value.
    fileprivate var isInManifest: Bool { manifest != .absent && manifest != .ofFile }
}

extension Receipt {
    fileprivate init(_ state: State, inManifest json: JSON) {
        let cause = json["cause"]?.text.map { Cause(name: $0) ?? .internal }
        self.init(state, failure: cause.map { Failure($0, json["detail"]?.text ?? "") })
        url = json["url"]?.text
        finalURL = json["final_url"]?.text
        status = json["status"]?.integer
        original = StoredFile(json)
        sidecar = json["sidecar"].flatMap { StoredFile($0) }
        format = json["format"]?.text
        width = json["width"]?.integer
        height = json["height"]?.integer
        orientation = json["orientation"]?.integer
        etag = json["etag"]?.text
        lastModified = json["last_modified"]?.text
        color = json["color"]?.text
        placeholder = json["placeholder"]?.text
        phash = json["phash"]?.text
        usage = json["usage"]?.text
        thumbs = (json["thumbs"]?.elements ?? []).map { Thumb($0) }
    }
}
