// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel

/// Where a mirror's finished files live.
///
/// Names are relative paths with `/` as the separator. A file gets its name only when it is complete: it is staged
/// first, and committed together with other files. Methods may be called from any thread. A new kind of store is a type
/// that conforms to this protocol.
package protocol Store: Sendable {
    /// The path or URL of the store, for messages.
    var location: String { get }

    /// Stages a whole file to be committed later. Files staged at the same time need different `temporary` names.
    func stage(
        _ bytes: [UInt8], as name: String, temporary: String, durability: Durability
    ) throws(FileError) -> StagedFile

    /// The size up to which an original is now staged in memory; 0 if all are staged on the disk.
    var memoryForStaging: Int { get }

    /// Stages a copy of the file `source`, which has the content of `file`, under the name of `file`.
    ///
    /// A store that can do so copies no bytes. Files staged at the same time need different `temporary` names. The copy
    /// is made when it is committed; until then `source` must stay.
    func stageCopy(of source: String, as file: StoredFile, temporary: String) -> StagedFile

    /// Creates a large file that is written piece by piece and staged at its end.
    func create(_ name: String) throws(FileError) -> NewFile

    /// Gives staged files their names, in order, and replaces existing files with these names.
    ///
    /// Unless `durability` is `none`, the files survive a power failure on return. Returns the files that could not get
    /// their names; they remain staged. Throws if no file is safely stored.
    func commit(_ files: [StagedFile], durability: Durability) throws(FileError) -> [StagedFile: FileError]

    /// The number of commits of different files that may usefully run at the same time.
    var concurrentCommits: Int { get }

    /// Removes a file that is staged; has no effect on a committed one.
    func discard(_ file: StagedFile)

    /// Opens a file for reading. The file may be a verified local copy.
    func open(_ name: String) throws(FileError) -> OpenFile

    /// Returns the size of a file; `nil` if it does not exist.
    func size(of name: String) -> Int?

    /// Returns a text that changes with every change of a file; `nil` if it does not exist.
    func stamp(of name: String) -> String?

    /// Returns an object for many size queries, which may miss changes by other processes.
    func sizes() -> any FileSizes

    /// Returns the files and folders directly in a folder, sorted by name; `""` is the store itself.
    func list(_ folder: String) throws(FileError) -> [FolderEntry]

    /// Calls `body` for each file, sorted by folder, until it returns false; skips hidden files and other mirrors.
    ///
    /// Throws if the store cannot list its files.
    func forEachFile(_ body: (String) -> Bool) throws(FileError)

    /// Opens a file together with its ``stamp(of:)``.
    func openWithStamp(_ name: String) throws(FileError) -> StampedFile

    /// Returns the facts that the store recorded when a file was written; `nil` if the file must be read.
    func recordedContent(of name: String) throws(FileError) -> RecordedContent?

    /// Removes files in the given order; missing ones are ignored.
    ///
    /// Unless `durability` is `none`, they are still absent after a power failure.
    func remove(_ names: [String], durability: Durability) throws(FileError)

    /// Removes a folder with everything in it, also hidden files; a missing one is not an error.
    func removeFolder(_ name: String) throws(FileError)

    /// Removes files unless another writer may have changed them; returns those that remain.
    ///
    /// Unless `durability` is `none`, the removed ones are still absent after a power failure.
    func removeUnchanged(_ files: [StoredFile], durability: Durability) throws(FileError) -> [StoredFile]

    /// Stores identical files once; `nil` if the store cannot do that.
    var sharing: (any ContentSharing)? { get }

    /// Stores files unless their names are taken; `nil` if the store cannot do that.
    var exclusiveWriting: (any ExclusiveWriting)? { get }

    /// The folder whose file system flushes all files together, so that many commits need no flush of their own;
    /// `nil` if the store cannot do that.
    var flushing: Folder? { get }
}

/// Looks up the sizes of many files.
package protocol FileSizes: Sendable {
    /// Returns the size of a file; `nil` if it does not exist.
    func size(of name: String) -> Int?
}

/// Stores identical files once.
///
/// Names may also be those of staged files.
package protocol ContentSharing: Sendable {
    /// Whether two names refer to the same stored bytes.
    func areSameFile(_ first: String, _ other: String) -> Bool

    /// Makes two identical files share their storage; returns false if they already share it.
    func shareContent(
        of first: String, with other: String, temporary: String, flushed: Bool
    ) throws(FileError) -> Bool
}

// The behaviour of stores with one writer and without records of their files: local folders.

extension Store {
    /// Opens a file of this machine.
    package func openWithStamp(_ name: String) throws(FileError) -> StampedFile {
        let file = try open(name)
        let stamp = try file.stamp
        return StampedFile(file, stamp: stamp)
    }

    /// One: a commit waits for the disk, which later commits would only slow down.
    package var concurrentCommits: Int { 1 }

    /// 0: staged files are renamed.
    package var memoryForStaging: Int { 0 }

    /// None: what a commit stores is durable, or each file is flushed.
    package var flushing: Folder? { nil }

    /// Nothing: a file system records no checksums.
    package func recordedContent(of name: String) throws(FileError) -> RecordedContent? { nil }
}

/// Stores a file unless its name is taken, so that one of several writers wins.
package protocol ExclusiveWriting: Sendable {
    /// Stores a whole file durably; returns false, without any change, if a file with that name exists.
    ///
    /// Writers of the same name need different `temporary` names.
    func writeIfAbsent(_ bytes: [UInt8], to name: String, temporary: String) throws(FileError) -> Bool
}

extension Store {
    /// None: a store has to guarantee it.
    package var exclusiveWriting: (any ExclusiveWriting)? { nil }
}

/// A file or a folder in a listing.
package struct FolderEntry: Sendable, Hashable {
    /// The name without the folder.
    package var name: String
    /// The file's stamp, see ``Store/stamp(of:)``; `nil` for a folder.
    package var stamp: String?
}

/// An open file and the stamp of its version.
package struct StampedFile: ~Copyable {
    /// The file, which may be a verified local copy.
    package let file: OpenFile
    /// See ``Store/stamp(of:)``.
    package let stamp: String

    init(_ file: consuming OpenFile, stamp: String) {
        self.file = file
        self.stamp = stamp
    }

    /// Returns the file without its stamp.
    package consuming func take() -> OpenFile { file }
}

/// A store's knowledge about a file that it has not read.
package struct RecordedContent: Sendable, Hashable {
    package var size: Int
    /// The SHA-256, 64 hexadecimal digits.
    package var sha256: String
}
