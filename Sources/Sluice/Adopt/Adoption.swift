// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel

/// A folder that another tool filled, and the files in it that a run copies into the mirror.
final class Adoption: Sendable {
    /// The file that was matched to a photo, before its content is checked.
    struct Choice: Sendable, Hashable {
        let path: String
        /// The checksum that the file must have, from the feed or an earlier receipt; `nil` if neither states one.
        let checksum: Checksum?
    }

    /// The folder, as the user named it.
    let folder: String
    /// Whether the run reads the feed; otherwise it matches only photos that the ledger knows.
    let walksFeed: Bool
    private let choices = Locked<[Int: Choice]>([:])

    init(of folder: String, walksFeed: Bool) {
        self.folder = folder
        self.walksFeed = walksFeed
    }

    /// Sets the file for each photo, by the photo's sequence number.
    func setChoices(_ choices: [Int: Choice]) { self.choices.withLock { $0 = choices } }

    /// The file chosen for the photo with the sequence number `seq`.
    func choice(for seq: Int) -> Choice? { choices.withLock { $0[seq] } }

    /// Throws if the folder cannot be read, before the mirror is created.
    func checkFolder() throws(MirrorError) {
        do throws(FileError) { _ = try Folder(folder).names() } catch {
            throw MirrorError(.usage, "cannot adopt '\(folder)': \(error.reason)")
        }
    }
}
