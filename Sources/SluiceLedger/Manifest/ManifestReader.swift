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
        var receipt = Receipt(state)
        for field in ManifestField.all {
            switch field.source {
            case .seq, .id, .feed, .page: break
            case .photo(let fact): fact.restore(&photo, json[field.name])
            case .receipt(let fact, let stated):
                fact.restore(&receipt, json[field.name])
                stated?.restore(&photo, json[field.name])
            }
        }
        if let url = receipt.url { photo.variants = [Variant(name: receipt.variant ?? Variant.original, url: url)] }
        let item = Item(seq: seq, feed: feed, page: json["page"]?.quantity ?? 1, photo: photo)
        self.init(item: item, receipt: receipt.failure?.cause == .deferred ? nil : receipt)
    }
}

extension PhotoField {
    fileprivate func restore(_ photo: inout Photo, _ json: JSON?) {
        switch property {
        case .text(let path) where kind == .object: photo[keyPath: path] = json?.serialized
        case .text(let path): photo[keyPath: path] = json?.text
        case .number(let path): photo[keyPath: path] = json?.integer
        }
    }
}

extension ReceiptField {
    fileprivate func restore(_ receipt: inout Receipt, _ json: JSON?) {
        switch value {
        case .text(let access): access.set(&receipt, json?.text)
        case .number(let access): access.set(&receipt, json?.quantity)
        case .side(let access): access.set(&receipt, json?.side)
        case .object(let access): access.set(&receipt, json?.serialized)
        case .thumbs: receipt.thumbs = (json?.elements ?? []).map { Thumb($0) }
        }
    }
}
