// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceGallery

extension PhotoMirror {
    /// Writes a page that shows groups of copies of the mirror in `folder`, with a choice of the photos to keep.
    ///
    /// The page refers to the thumbnails of the mirror, and to those of `reference`. `command` has the
    /// words of the command that it makes: its start, and the options that name the photos and their new folder.
    package static func writePage(
        of groups: [DuplicateGroup], in folder: String, reference: String? = nil,
        command: (start: String, drop: String, move: String),
        to path: String
    ) throws(MirrorError) {
        let (parentPath, name) = Folder.place(of: path)
        do throws(FileError) {
            let parent = try Folder(parentPath)
            let place = try parent.resolvedPath()
            let mirror = try Folder(folder).resolvedPath()
            let other = try reference.map { (path) throws(FileError) in try Folder(path).resolvedPath() }
            let page = CopiesPage(
                groups.map { $0.members.map(CopiesPage.Photo.init) },
                of: String(mirror.split(separator: "/").last ?? "/"),
                command: CopiesPage.Command(command.start, drop: command.drop, move: command.move),
                folders: (way(from: place, to: mirror), way(from: place, to: other ?? mirror)))
            try parent.write(page.bytes, to: name)
        } catch {
            throw MirrorError(.local, "cannot write the page '\(path)': \(error.reason)")
        }
    }

    /// The path of a folder relative to another one; both are absolute.
    private static func way(from start: String, to end: String) -> String {
        let (start, end) = (start.split(separator: "/"), end.split(separator: "/"))
        let common = zip(start, end).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        return (repeatElement("..", count: start.count - common) + end.dropFirst(common).map(String.init))
            .joined(separator: "/")
    }
}

extension CopiesPage.Photo {
    fileprivate init(_ member: DuplicateGroup.Member) {
        let size = member.width.flatMap { width in member.height.map { "\(width) × \($0)" } }
        let relation = member.relation.rawValue + (member.reason.map { " (the best: \($0))" } ?? "")
        self.init(
            member.item, name: member.path, picture: member.thumb ?? member.path, bytes: member.bytes,
            facts: [relation, size, member.format].compactMap(\.self).joined(separator: ", "),
            isReference: member.isReference)
    }
}

extension PhotoMirror {
    /// The largest file of pairs that is read; a line takes 130 bytes.
    private static let maxIgnoredBytes = 256 << 20

    /// Reads pairs of photos that are no copies from a text file, see ``IgnoredPairs``.
    package static func ignoredPairs(in path: String) throws(MirrorError) -> IgnoredPairs {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.reading(path, followsLink: true).readAll(limit: maxIgnoredBytes)
        } catch {
            throw MirrorError(.usage, "cannot read '\(path)': \(error.reason)")
        }
        do throws(InvalidText) {
            return try IgnoredPairs(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw MirrorError(.usage, "cannot read '\(path)': \(error)")
        }
    }
}
