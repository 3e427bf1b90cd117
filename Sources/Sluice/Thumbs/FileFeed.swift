// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel

/// Files and folders as a feed: what lies in them is listed page by page, as a service lists its photos.
///
/// What is found by walking and is no picture by its first bytes is passed over; what was named is listed in any case,
/// and fails by itself. The file is its photo's one variant's address.
final class FileFeed: Feed {
    /// What a file's photo is called.
    enum Naming {
        /// By its output, which no two share: whatever file the thumbnails come from in the next run, they are the same
        /// item's.
        case outputs
        /// By its path: files of one name in other folders are other photos. The folder below the named one is its
        /// collection.
        case paths
    }

    /// The variant of a file that was found by walking; no link is followed to it.
    static let walked = "walked"
    /// The variant of a file that the user named.
    static let named = "named"
    /// Enough that a page costs little, and few enough that the first comes soon. (A walk has at most 10,000 pages.)
    private static let pageSize = 1000

    private struct State {
        var walk: FileWalk
        var names = OutputNames()
        /// Files in all, less those that were passed over; counted before the first page.
        var total: Int?
    }

    let name = "files"
    let defaultVariant = "\(FileFeed.named)|\(FileFeed.walked)"
    private let paths: [String]
    private let naming: Naming
    private let state: Locked<State>

    init(_ paths: [String], by naming: Naming) {
        self.paths = paths
        self.naming = naming
        state = Locked(State(walk: FileWalk(paths)))
    }

    var longest: Int? { nil }

    func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
        // Held over the reading of folders: the feed has one reader, and nobody waits for it.
        try state.withLock { state throws(Failure) in
            if state.total == nil { state.total = try Self.count(paths, token: token) }
            var page = Page(number: number, photos: [], next: Cursor(rawValue: "\(number + 1)"))
            while page.photos.count < Self.pageSize {
                try token.check()
                guard let file = state.walk.next() else {
                    page.next = nil
                    break
                }
                if file.isNamed || Self.mayBePicture(file.path) {
                    page.photos.append(photo(of: file, names: &state.names))
                } else {
                    state.total = state.total.map { $0 - 1 }
                }
            }
            page.total = state.total
            return page
        }
    }

    /// How many files there are, for the time that is left: a walk without a look into any.
    private static func count(_ paths: [String], token: Token) throws(Failure) -> Int {
        var walk = FileWalk(paths)
        var count = 0
        while walk.next() != nil {
            count += 1
            try token.check()
        }
        return count
    }

    /// Whether the file begins as pictures do; one that cannot be read may be one, and its failure is to be told.
    private static func mayBePicture(_ path: String) -> Bool {
        do throws(FileError) {
            let bytes = try OpenFile.reading(path, followsLink: false).read(at: 0, count: 32)
            return ImageFormat(sniffing: bytes) != nil
        } catch {
            return error.isForbidden
        }
    }

    private func photo(of file: FileWalk.File, names: inout OutputNames) -> Photo {
        let variant = Variant(name: file.isNamed ? Self.named : Self.walked, url: file.path)
        var photo = Photo(id: file.path, variants: [variant])
        switch naming {
        case .outputs:
            photo.id = names.name(for: file.relative, at: file.path)
            photo.caption = file.relative
        case .paths:
            let parts = OutputNames.withoutExtension(file.relative).name.split(separator: "/")
            photo.caption = parts.last.map(String.init)
            photo.collection = parts.count > 1 ? parts.dropLast().joined(separator: "/") : nil
            photo.date = file.lastWrite
        }
        return photo
    }
}
