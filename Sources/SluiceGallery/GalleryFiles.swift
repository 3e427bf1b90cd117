// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// Writes the gallery's files: replaces those that changed and removes those that are no longer needed.
///
/// Changed files are flushed and renamed in batches, because a flush costs about the same for one file as for many. The
/// deinitializer removes files that have not been renamed.
final class GalleryFiles {
    private(set) var change = GalleryChange()
    private let folder: Folder
    private let flushed: Bool
    private var staged: [StagedFile] = []
    /// The number of files that share a flush.
    private static let batchSize = 64

    init(in folder: Folder, flushed: Bool) throws(FileError) {
        self.folder = folder
        self.flushed = flushed
        for name in Self.folders { try folder.makeFolder(name) }
        // Remove temporary files of a killed process.
        try folder.removeLeftovers(in: "gallery")
    }

    deinit {
        for file in staged { try? folder.remove(file.temporary) }
    }

    /// The folders of all gallery files other than the front page.
    static let folders = ["gallery/data", "gallery/index", "gallery/text", "gallery/pages", "gallery"]

    static func chunk(_ number: Int) -> String { "gallery/data/\(number + 1).js" }
    static func block(_ number: Int) -> String { "gallery/index/\(number + 1).js" }
    static func text(_ number: Int) -> String { "gallery/text/\(number + 1).js" }
    static func page(_ number: Int) -> String { "gallery/pages/\(number + 1).html" }

    /// Writes the file if its content differs from `bytes`; removes it if `bytes` is `nil`.
    func update(_ bytes: [UInt8]?, at name: String) throws(FileError) {
        guard let bytes else { return try remove(name) }
        guard !folder.hasContent(bytes, in: name) else {
            change.kept += 1
            return
        }
        let temporary = "gallery/new-\(staged.count)\(NewFile.suffix)"
        staged.append(try folder.stage(bytes, as: name, temporary: temporary, flushed: false))
        change.written += 1
        if staged.count == Self.batchSize { try commit() }
    }

    /// Renames the staged files to their final names.
    ///
    /// If `flushed` is set, their content and names then survive a power failure.
    func commit() throws(FileError) {
        if flushed { try folder.flush(staged) }
        for file in staged { try folder.moveIntoPlace(file) }
        if flushed { try folder.flushNames(of: staged) }
        staged.removeAll(keepingCapacity: true)
    }

    /// Removes the numbered files from number `count` on, the last one first.
    ///
    /// If the process is killed in between, the numbers have no gap, so the next run finds the remaining files.
    func removeFiles(from count: Int, name: (Int) -> String) throws(FileError) {
        var end = count
        while folder.size(of: name(end)) != nil { end += 1 }
        while end > count {
            end -= 1
            try remove(name(end))
        }
    }

    /// Flushes the folders, so that removals survive a power failure.
    func flushRemovals() throws(FileError) {
        guard flushed, change.removed > 0 else { return }
        for name in Self.folders { try folder.flush(name) }
    }

    private func remove(_ name: String) throws(FileError) {
        guard folder.size(of: name) != nil else { return }
        try folder.remove(name)
        change.removed += 1
    }
}
