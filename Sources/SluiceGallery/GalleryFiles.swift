// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// The gallery's files on disk: which names they have, which of them changed, and which are left over.
struct GalleryFiles {
    private(set) var change = GalleryChange()
    private let folder: Folder
    private let flushed: Bool
    /// One name for whatever is being written, so that a killed process leaves one leftover at most, which is found.
    private static let temporary = "gallery/new.part"

    init(in folder: Folder, flushed: Bool) throws(FileError) {
        self.folder = folder
        self.flushed = flushed
        for name in Self.folders { try folder.makeFolder(name) }
        try folder.remove(Self.temporary)
    }

    /// All that a gallery's files stand in, but for the front page.
    static let folders = ["gallery/data", "gallery/index", "gallery/text", "gallery/pages", "gallery"]

    static func chunk(_ number: Int) -> String { "gallery/data/\(number + 1).js" }
    static func block(_ number: Int) -> String { "gallery/index/\(number + 1).js" }
    static func text(_ number: Int) -> String { "gallery/text/\(number + 1).js" }
    static func page(_ number: Int) -> String { "gallery/pages/\(number + 1).html" }

    /// Makes sure that the file holds these bytes, or that there is none where there are no bytes.
    mutating func update(_ bytes: [UInt8]?, at name: String) throws(FileError) {
        guard let bytes else { return try remove(name) }
        if try folder.writeIfChanged(bytes, to: name, temporary: Self.temporary, flushed: flushed) {
            change.written += 1
        } else {
            change.kept += 1
        }
    }

    /// Removes the numbered files from `count` on.
    ///
    /// The last goes first: if the process is killed between two, the numbers still have no gap, and the next run finds
    /// the rest.
    mutating func removeBehind(_ count: Int, name: (Int) -> String) throws(FileError) {
        var end = count
        while folder.size(of: name(end)) != nil { end += 1 }
        while end > count {
            end -= 1
            try remove(name(end))
        }
    }

    /// Makes the names safe against a power cut.
    func flush() throws(FileError) {
        guard flushed, change.written + change.removed > 0 else { return }
        for name in Self.folders + [""] { try folder.flush(name) }
    }

    private mutating func remove(_ name: String) throws(FileError) {
        guard folder.size(of: name) != nil else { return }
        try folder.remove(name)
        change.removed += 1
    }
}
