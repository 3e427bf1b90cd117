// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
package import SluiceModel

/// A feed of local files: named files, and the pictures in named folders.
///
/// Files in folders are skipped if their first bytes are not those of a picture. A picture of a format that Sluice
/// cannot read is listed, so that it fails by name. Named files are always listed and may fail later. Each photo has
/// one variant, whose URL is the path of its file.
package final class FileFeed: Feed {
    /// How photos get their IDs.
    package enum Naming {
        /// By the unique names of their outputs. An output belongs to the same item in every run, whichever file it was
        /// made from.
        case outputs
        /// By their paths. The subfolder below a named folder is the photo's collection.
        case paths
    }

    /// The variant of a file that was found in a folder.
    ///
    /// Symbolic links are not followed.
    static let walked = "walked"
    /// The variant of a file that the user named.
    static let named = "named"
    /// Large enough for a low overhead per page, and small enough that the first page comes soon.
    private static let pageSize = 1000

    fileprivate struct State {
        var walker: FileWalker
        var names = OutputNames()
        /// The sidecars in the current folder and in those that contain it.
        var folders: [FolderSidecars] = []
        /// The number of files without those skipped so far.
        ///
        /// Counted before the first page.
        var total: Int?
        /// The lists that were skipped: how many, and the first one's path.
        var lists = (count: 0, first: "")
    }

    package static let name = "files"
    package var name: String { Self.name }
    package let defaultVariant = "\(FileFeed.named)|\(FileFeed.walked)"
    private let paths: [String]
    private let naming: Naming
    private let keepsPlaces: Bool
    private let state: Locked<State>

    package init(_ paths: [String], by naming: Naming, keepsPlaces: Bool = false) {
        (self.paths, self.naming, self.keepsPlaces) = (paths, naming, keepsPlaces)
        state = Locked(State(walker: FileWalker(paths, readsTimes: naming == .paths)))
    }

    package var maxPages: Int? { nil }

    package func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        // The lock is held while folders are read. The feed has only one reader, so nothing waits for it.
        try state.withLock { state throws(Failure) in
            if state.total == nil { state.total = try Self.count(paths, token: token) }
            var page = Page(number: number, photos: [], next: Cursor(rawValue: "\(number + 1)"))
            while page.photos.count < Self.pageSize {
                try token.check()
                guard let file = state.walker.next() else {
                    page.next = nil
                    if let note = note(on: state.lists) { page.notes.append(note) }
                    break
                }
                if file.isNamed || Self.mayBePicture(file.path) {
                    page.photos.append(photo(of: file, &state))
                } else {
                    state.total = state.total.map { $0 - 1 }
                    if ListName.isList(file.path), naming == .paths, !isSidecar(file, &state) {
                        state.lists = (state.lists.count + 1, state.lists.count == 0 ? file.path : state.lists.first)
                    }
                }
            }
            page.total = state.total
            return page
        }
    }

    /// Says which lists were not read, because the folder has photos; `nil` if there are none.
    private func note(on lists: (count: Int, first: String)) -> String? {
        guard lists.count > 0 else { return nil }
        let count = lists.count == 1 ? "1 list was" : "\(lists.count) lists were"
        return "\(count) not read, because the folder has photos; to read a list, name it as SOURCE: \(lists.first)"
    }

    /// Counts all files without opening them, for the estimate of the remaining time.
    private static func count(_ paths: [String], token: CancellationToken) throws(Failure) -> Int {
        var walker = FileWalker(paths)
        var count = 0
        while walker.next() != nil {
            count += 1
            try token.check()
        }
        return count
    }

    /// Whether the file begins like a picture.
    ///
    /// A file that exists but cannot be read counts as one, so that its failure is reported.
    private static func mayBePicture(_ path: String) -> Bool {
        do throws(FileError) {
            let bytes = try OpenFile.listed(path).read(at: 0, count: ImageFormat.sniffedBytes)
            return ImageFormat(sniffing: bytes) != nil
        } catch {
            return !error.isAbsence
        }
    }

    private func photo(of file: FileWalker.File, _ state: inout State) -> Photo {
        let variant = Variant(name: file.isNamed ? Self.named : Self.walked, url: file.path)
        var photo = Photo(id: file.path, variants: [variant])
        switch naming {
        case .outputs:
            photo.id = state.names.name(for: file.relative, at: file.path)
            photo.caption = file.relative
        case .paths:
            photo.setFacts(fromPath: file.relative)
            let (folder, name) = Self.split(file.path)
            let stated = state.sidecars(in: folder).sidecars(of: name)
            photo.setFacts(of: file, stated, keepsPlace: keepsPlaces)
        }
        return photo
    }

    private func isSidecar(_ file: FileWalker.File, _ state: inout State) -> Bool {
        let (folder, name) = Self.split(file.path)
        return SidecarName.isPossible(name) && state.sidecars(in: folder).contains(name)
    }

    /// Splits a path after its last slash.
    private static func split(_ path: String) -> (folder: String, name: String) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        return (String(path[..<start]), String(path[start...]))
    }
}

extension FileFeed.State {
    /// The sidecars in a folder; those of the folders that contain it stay in memory, because their files may follow.
    fileprivate mutating func sidecars(in folder: String) -> FolderSidecars {
        while let last = folders.last, !folder.utf8.starts(with: last.path.utf8) { folders.removeLast() }
        if let last = folders.last, last.path === folder { return last }
        let sidecars = FolderSidecars(in: folder)
        folders.append(sidecars)
        return sidecars
    }
}

extension Photo {
    /// Sets the facts that sidecars state, or else the file in XMP, IPTC and EXIF, or else its name and its time.
    ///
    /// The date of the camera precedes that of XMP, which may be the time of a scan or of an export.
    fileprivate mutating func setFacts(of file: FileWalker.File, _ sidecars: [PhotoSidecar], keepsPlace: Bool) {
        let name = caption
        caption = nil
        for sidecar in sidecars {
            sidecar.complete(&self)
            if sidecar.datesCapture { sidecar.addDate(to: &self) }
            if keepsPlace { sidecar.addPlace(to: &self) }
        }
        let open = file.isNamed ? try? OpenFile.reading(file.path, followsLink: true) : try? OpenFile.listed(file.path)
        if let open, let stated = StatedFacts(fileAt: open.descriptor) {
            let xmp = stated.xmp.flatMap { PhotoSidecar($0) }
            setDate(stated.exif.time, from: "exif")
            for (name, facts) in [
                ("xmp", xmp), ("iptc", PhotoSidecar(stated.iptc)), ("exif", PhotoSidecar(stated.exif)),
            ] {
                facts?.complete(&self)
                facts?.addDate(to: &self, from: name)
            }
            if keepsPlace {
                place = place ?? stated.place
                xmp?.addPlace(to: &self)
            }
        }
        for sidecar in sidecars { sidecar.addDate(to: &self) }
        // Takeout cuts the names of files.
        let whole = sidecars.lazy.compactMap(\.fileName).map { OutputNames.withoutExtension($0).name }
        caption = caption ?? whole.first { $0.hasPrefix(name ?? "") } ?? name
        if date == nil, let time = file.modificationTime { (date, dateSource) = (time, Self.fileTime) }
    }
}

extension PhotoSidecar {
    fileprivate init(_ facts: StatedFacts.Source) {
        self.init(
            caption: facts.caption, author: facts.author, attribution: facts.credit, tags: facts.tags,
            time: facts.time ?? facts.digitized)
    }
}

extension Photo {
    /// Sets the caption to the file's name, and the collection to the subfolder of a relative path.
    mutating func setFacts(fromPath path: String) {
        let parts = OutputNames.withoutExtension(path).name.split(separator: "/")
        caption = parts.last.map(String.init)
        collection = parts.count > 1 ? parts.dropLast().joined(separator: "/") : nil
    }
}

/// Assigns unique names to the outputs of input files: the relative path without the extension.
///
/// If two inputs would have the same name, the later one gets a short hash of its path as a suffix. Names therefore
/// depend only on the contents of the folders, never on timing. Names that differ only in case count as equal.
struct OutputNames: Sendable {
    /// The maximum length of the last component in bytes.
    ///
    /// It leaves room for a hash and an extension.
    private static let maximumLength = 200

    /// About 16 bytes per file.
    ///
    /// Nothing else here grows with the run.
    private var taken: Set<Fingerprint> = []

    /// Returns a unique name for an input, from its relative path and, if necessary, its whole path.
    package mutating func name(for relative: String, at path: String) -> String {
        let (base, isCut) = Self.withoutExtension(relative)
        var candidates = isCut ? [] : [base]
        candidates += ["\(base)-\(Fingerprint(relative).short)", "\(base)-\(Fingerprint(path).text)"]
        for name in candidates where taken.insert(Fingerprint(name.lowercased())).inserted { return name }
        // Paths are unique, so only a deliberately chosen file name gets here.
        var count = 2
        while !taken.insert(Fingerprint("\(candidates[0])-\(count)".lowercased())).inserted { count += 1 }
        return "\(candidates[0])-\(count)"
    }

    /// Returns the path without its extension, and whether its last component had to be cut.
    static func withoutExtension(_ path: String) -> (name: String, isCut: Bool) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let folder = path[..<start]
        var stem = path[start...]
        if let dot = stem.utf8.lastIndex(of: UInt8(ascii: ".")), dot > start, isExtension(stem[dot...].utf8.dropFirst())
        {
            stem = stem[..<dot]
        }
        guard stem.utf8.count > maximumLength else { return (String(folder + stem), false) }
        var short = ""
        for character in stem {
            guard short.utf8.count + String(character).utf8.count <= maximumLength else { break }
            short.append(character)
        }
        return (folder + short, true)
    }

    private static func isExtension(_ bytes: Substring.UTF8View.SubSequence) -> Bool {
        (1...5).contains(bytes.count)
            && bytes.allSatisfy { byte in
                let letter = byte | 0x20
                return (0x30...0x39).contains(byte) || (0x61...0x7A).contains(letter)
            }
    }
}
