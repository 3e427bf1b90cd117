// SPDX-License-Identifier: MIT

public import SluiceModel

/// Lines as `manifest.jsonl` has them, for whoever wants them elsewhere than in a mirror.
public struct ManifestLines {
    private var writer = JSONWriter()

    /// Begins with no line.
    public init() {}

    /// The lines that were added since ``removeAll()``.
    public var bytes: [UInt8] { writer.bytes }

    /// Adds the line of an item that the ledger has.
    public mutating func add(_ entry: Entry) { add(entry.item, entry.end) }

    /// Adds an item's line.
    public mutating func add(_ item: Item, _ receipt: Receipt) { writer.manifestLine(item, receipt) }

    /// Forgets the lines and keeps their memory.
    public mutating func removeAll() { writer.removeAll() }
}
