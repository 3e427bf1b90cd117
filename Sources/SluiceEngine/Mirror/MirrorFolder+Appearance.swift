// SPDX-License-Identifier: MIT

internal import SluiceFiles
package import SluiceModel

// The stored appearance of a mirror's gallery. It is not part of the ledger, so that it survives the loss of the
// ledger.

extension MirrorFolder {
    private static let appearanceFile = ".sluice/gallery.json"
    /// The maximum size.
    ///
    /// A style sheet has at most one megabyte, of which JSON may need six bytes for each.
    private static let maximumAppearanceSize = 8 << 20

    borrowing func appearance() throws(MirrorError) -> GalleryAppearance {
        guard state.size(of: Self.appearanceFile) != nil else { return GalleryAppearance() }
        let bytes = try MirrorError.onDisk(state.read(Self.appearanceFile, limit: Self.maximumAppearanceSize))
        do throws(InvalidText) {
            let json = try JSON(parsing: bytes)
            var appearance = GalleryAppearance()
            appearance.title = json["title"]?.text
            appearance.theme = json["theme"]?.text.flatMap(GalleryAppearance.Theme.init)
            appearance.style = json["style"]?.text
            return appearance
        } catch {
            throw MirrorError(
                .damaged,
                "cannot read '\(state.fullPath(of: Self.appearanceFile))': \(error); delete it and set the gallery's "
                    + "appearance again")
        }
    }

    package borrowing func save(_ change: GalleryAppearance) throws(MirrorError) {
        let old = try appearance()
        let new = change.over(old)
        guard new != old else { return }
        var writer = JSONWriter()
        writer.object { json in
            json.member("title", new.title)
            json.member("theme", new.theme?.rawValue)
            json.member("style", new.style)
        }
        try MirrorError.onDisk(state.write(writer.bytes, to: Self.appearanceFile))
    }
}

extension GalleryAppearance {
    private static let maximumStyleSize = 1 << 20

    /// Reads a style sheet from a file.
    ///
    /// It must be UTF-8 text of at most one megabyte.
    package static func style(in path: String) throws(MirrorError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readPrefix(of: path)
        } catch {
            throw MirrorError(.usage, "cannot read style sheet '\(path)': \(error.reason)")
        }
        guard bytes.count <= maximumStyleSize, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
        else {
            throw MirrorError(
                .usage, "cannot use '\(path)' as a style sheet: it must be UTF-8 text of at most one megabyte")
        }
        return text
    }

    /// Reads a file, but not much more than a style sheet may have.
    private static func readPrefix(of path: String) throws(FileError) -> [UInt8] {
        var file = try InputFile(path)
        return try file.readRest(limit: maximumStyleSize)
    }
}

// The folder from which a run read its local files by relative paths. The gallery's links to originals need it.

extension MirrorFolder {
    private static let inputFolderFile = ".sluice/input-folder"
    private static let maximumPath = 1 << 16

    /// The absolute path of the recorded folder; `nil` if there is none.
    var inputFolder: String? {
        guard let bytes = try? state.read(Self.inputFolderFile, limit: Self.maximumPath) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Records that relative paths start from the process's current folder.
    package borrowing func recordInputFolder() throws(MirrorError) {
        let path = try MirrorError.onDisk(Folder(".").resolvedPath())
        guard path != inputFolder else { return }
        try MirrorError.onDisk(state.write(Array(path.utf8), to: Self.inputFolderFile))
    }
}
