// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// The gallery's files on disk: which names they have, which of them changed, and which are left over.
///
/// What changed gets its name many files at a time: a flush costs about the same for one as for all of them. What has no
/// name yet when this goes is removed.
final class GalleryFiles {
    private(set) var change = GalleryChange()
    private let folder: Folder
    private let flushed: Bool
    private var staged: [StagedFile] = []
    /// So many files share a flush.
    private static let most = 64

    init(in folder: Folder, flushed: Bool) throws(FileError) {
        self.folder = folder
        self.flushed = flushed
        for name in Self.folders { try folder.makeFolder(name) }
        // What a killed process was writing.
        try folder.removeLeftovers(in: "gallery")
    }

    deinit {
        for file in staged { try? folder.remove(file.temporary) }
    }

    /// All that a gallery's files stand in, but for the front page.
    static let folders = ["gallery/data", "gallery/index", "gallery/text", "gallery/pages", "gallery"]

    static func chunk(_ number: Int) -> String { "gallery/data/\(number + 1).js" }
    static func block(_ number: Int) -> String { "gallery/index/\(number + 1).js" }
    static func text(_ number: Int) -> String { "gallery/text/\(number + 1).js" }
    static func page(_ number: Int) -> String { "gallery/pages/\(number + 1).html" }

    /// Makes sure that the file holds these bytes, or that there is none where there are no bytes.
    func update(_ bytes: [UInt8]?, at name: String) throws(FileError) {
        guard let bytes else { return try remove(name) }
        guard !folder.has(bytes, in: name) else {
            change.kept += 1
            return
        }
        let temporary = "gallery/new-\(staged.count)\(NewFile.suffix)"
        staged.append(try folder.stage(bytes, as: name, temporary: temporary, flushed: false))
        change.written += 1
        if staged.count == Self.most { try place() }
    }

    /// Gives what was written its names, and makes both safe against a power cut.
    func place() throws(FileError) {
        if flushed { try folder.flush(staged) }
        for file in staged { try folder.place(file) }
        if flushed { try folder.flushNames(of: staged) }
        staged.removeAll(keepingCapacity: true)
    }

    /// Removes the numbered files from `count` on.
    ///
    /// The last goes first: if the process is killed between two, the numbers still have no gap, and the next run finds
    /// the rest.
    func removeBehind(_ count: Int, name: (Int) -> String) throws(FileError) {
        var end = count
        while folder.size(of: name(end)) != nil { end += 1 }
        while end > count {
            end -= 1
            try remove(name(end))
        }
    }

    /// Makes it safe against a power cut that names are gone.
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
