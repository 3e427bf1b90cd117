// SPDX-License-Identifier: MIT

package import SluiceModel

/// Formats lines of `manifest.jsonl` for use outside a mirror.
package struct ManifestLines {
    private var writer = JSONWriter()

    /// Creates an empty buffer.
    package init() {}

    /// The lines added since the last ``removeAll()``.
    package var bytes: [UInt8] { writer.bytes }

    /// Adds the line of a ledger entry.
    package mutating func add(_ entry: LedgerEntry) { add(entry.item, entry.receiptOrDeferred) }

    /// Adds an item's line.
    package mutating func add(_ item: Item, _ receipt: Receipt) { writer.writeManifestLine(item, receipt) }

    /// Removes the lines and keeps the memory.
    package mutating func removeAll() { writer.removeAll() }

    /// Passes the lines added since the last call to `write`, and returns its answer: false to stop.
    package mutating func flush(to write: ([UInt8]) -> Bool) -> Bool {
        defer { removeAll() }
        return write(bytes)
    }
}

extension JSONWriter: ManifestFieldWriter {
    mutating func field(_ name: String, _ text: String?) { member(name, text) }
    mutating func field(_ name: String, _ number: Int?) { member(name, number) }

    mutating func object(_ name: String, _ text: String?) {
        // The ledger may be another user's.
        guard let text, let object = try? JSON(parsing: Array(text.utf8)) else { return }
        member(name, json: object)
    }

    mutating func thumbs(_ thumbs: [Thumb]) {
        guard !thumbs.isEmpty else { return }
        member("thumbs", array: { list in for thumb in thumbs { list.object { thumb.write(to: &$0) } } })
    }

    /// Writes one line of `manifest.jsonl`.
    mutating func writeManifestLine(_ item: Item, _ receipt: Receipt) {
        object { line in
            line.member("schema", 1)
            line.writeFields(of: item, receipt)
        }
        newline()
    }
}
