// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel

/// A store that keeps nothing, for dry runs: it has the files of another store, and drops everything that is written.
package struct DryStore: Store {
    private let base: any Store
    /// Takes the place of a missing folder; `nil` if someone else keeps it.
    private let scratch: ScratchFolder?

    /// Makes a store with the files of `base`, which may be in a temporary folder.
    package init(_ base: any Store, keeping scratch: ScratchFolder? = nil) {
        (self.base, self.scratch) = (base, scratch)
    }

    /// Makes a store with the files of a folder for output, which is not created; throws if that is not possible.
    package init(ofOutput path: String, isShared: Bool = false) throws(FileError) {
        let scratch = try ScratchFolder()
        let folder = try scratch.replacement(of: path)
        if !isShared { try folder.checkTrust() }
        try folder.checkWriteAccess()
        self.init(LocalStore(folder), keeping: scratch)
    }

    package var location: String { base.location }
    package var memoryForStaging: Int { base.memoryForStaging }

    // MARK: Writing

    package func stage(
        _ bytes: [UInt8], as name: String, temporary: String, durability: Durability
    ) throws(FileError) -> StagedFile { StagedFile(temporary: temporary, name: name) }

    package func stageCopy(of source: String, as file: StoredFile, temporary: String) -> StagedFile {
        StagedFile(temporary: temporary, name: file.path, copyOf: source)
    }

    package func create(_ name: String) throws(FileError) -> NewFile { try NewFile(discarding: name) }
    package func commit(_ files: [StagedFile], durability: Durability) -> [StagedFile: FileError] { [:] }
    package func discard(_ file: StagedFile) {}
    package func remove(_ names: [String], durability: Durability) {}
    package func removeFolder(_ name: String) {}
    package func removeUnchanged(_ files: [StoredFile], durability: Durability) -> [StoredFile] { [] }
    package var sharing: (any ContentSharing)? { base.sharing.map(DrySharing.init) }

    // MARK: Reading

    package func open(_ name: String) throws(FileError) -> OpenFile { try base.open(name) }
    package func openWithStamp(_ name: String) throws(FileError) -> StampedFile { try base.openWithStamp(name) }
    package func size(of name: String) -> Int? { base.size(of: name) }
    package func stamp(of name: String) -> String? { base.stamp(of: name) }
    package func sizes() -> any FileSizes { base.sizes() }
    package func list(_ folder: String) throws(FileError) -> [FolderEntry] { try base.list(folder) }
    package func forEachFile(_ body: (String) -> Bool) throws(FileError) { try base.forEachFile(body) }
    package func recordedContent(of name: String) throws(FileError) -> RecordedContent? {
        try base.recordedContent(of: name)
    }
}

/// Finds out which files would share their content, and shares none.
private struct DrySharing: ContentSharing {
    let base: any ContentSharing

    func areSameFile(_ first: String, _ other: String) -> Bool { base.areSameFile(first, other) }

    func shareContent(of first: String, with other: String, temporary: String, flushed: Bool) -> Bool {
        !base.areSameFile(first, other)
    }
}
