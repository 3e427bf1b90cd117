// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// A folder that another tool filled, and what a run takes up of it.
final class Adoption: Sendable {
    /// A file that is a photo's, as far as could be told before it was read.
    struct Choice: Sendable, Hashable {
        let path: String
        /// What it must be, where the feed says so: no ledger keeps that.
        let checksum: Checksum?
    }

    /// The folder, as the user named it.
    let folder: String
    /// Whether the feed is asked, or only what the ledger knows of it counts.
    let walksFeed: Bool
    private let choices = Locked<[Int: Choice]>([:])

    init(of folder: String, walksFeed: Bool) {
        self.folder = folder
        self.walksFeed = walksFeed
    }

    /// Settles which photos have which files.
    func settle(_ choices: [Int: Choice]) { self.choices.withLock { $0 = choices } }

    /// The file of the photo in that place.
    func choice(for seq: Int) -> Choice? { choices.withLock { $0[seq] } }

    /// Refuses what is no folder, before anything is made for it.
    func check() throws(MirrorError) {
        do throws(FileError) { _ = try Folder(folder).names() } catch {
            throw MirrorError(
                .usage, "\(folder) cannot be adopted (\(error.reason)): give the folder that has the files")
        }
    }
}
