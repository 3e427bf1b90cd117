// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel

/// Files and folders as a feed: what lies in them is listed page by page, as a service lists its photos.
///
/// What is found by walking and is no picture by its first bytes is passed over; what was named is listed in any case,
/// and fails by itself. A photo's id is its output's name, which no two share, so that whatever file the thumbnails come
/// from in the next run, they are the same item's; the file is its one variant's address.
final class FileFeed: Feed {
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
    let defaultVariant = FileFeed.named
    private let paths: [String]
    private let state: Locked<State>

    init(_ paths: [String]) {
        self.paths = paths
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
                    page.photos.append(Self.photo(of: file, name: state.names.name(for: file.relative, at: file.path)))
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

    private static func photo(of file: FileWalk.File, name: String) -> Photo {
        var photo = Photo(id: name, variants: [Variant(name: file.isNamed ? named : walked, url: file.path)])
        photo.caption = file.relative
        return photo
    }
}
