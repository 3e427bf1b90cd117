// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceStore

/// Writes the gallery's files: replaces those that changed and removes those that are no longer needed.
///
/// Changed files are flushed and renamed in batches, because a flush costs about the same for one file as for many. The
/// deinitializer removes files that have not been renamed.
final class GalleryFiles {
    private(set) var change = GalleryChange()
    private let store: any Store
    private let durability: Durability
    private var staged: [StagedFile] = []
    /// The number of files that share a flush.
    private static let batchSize = 64

    init(in store: any Store, flushed: Bool) {
        self.store = store
        durability = flushed ? .batch : .none
    }

    deinit {
        for file in staged { store.discard(file) }
    }

    /// The folders of all gallery files other than the front page.
    static let folders = [
        "gallery/data", "gallery/index", "gallery/text", "gallery/hashes", "gallery/pages", "gallery",
    ]

    static func chunk(_ number: Int) -> String { "gallery/data/\(number + 1).js" }
    static func block(_ number: Int) -> String { "gallery/index/\(number + 1).js" }
    static func text(_ number: Int) -> String { "gallery/text/\(number + 1).js" }
    static func hashes(_ number: Int) -> String { "gallery/hashes/\(number + 1).js" }
    static func page(_ number: Int) -> String { "gallery/pages/\(number + 1).html" }

    /// Writes the file if its content differs from `bytes`; removes it if `bytes` is `nil`.
    func update(_ bytes: [UInt8]?, at name: String) throws(FileError) {
        guard let bytes else { return try remove([name].filter { store.size(of: $0) != nil }) }
        guard !store.hasContent(bytes, in: name) else {
            change.kept += 1
            return
        }
        staged.append(
            try store.stage(bytes, as: name, temporary: "gallery-\(staged.count)", durability: durability))
        change.written += 1
        if staged.count == Self.batchSize { try commit() }
    }

    /// Gives the staged files their names.
    func commit() throws(FileError) {
        let files = staged
        staged.removeAll(keepingCapacity: true)
        try store.commitAll(files, durability: durability)
    }

    /// Removes the numbered files from number `count` on, the last one first.
    ///
    /// If the process is killed in between, the numbers have no gap, so the next run finds the remaining files.
    func removeFiles(from count: Int, name: (Int) -> String) throws(FileError) {
        var end = count
        while store.size(of: name(end)) != nil { end += 1 }
        try remove((count..<end).reversed().map(name))
    }

    private func remove(_ names: [String]) throws(FileError) {
        guard !names.isEmpty else { return }
        try store.remove(names, durability: durability)
        change.removed += names.count
    }
}
