// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceGallery
package import SluiceLedger
package import SluiceModel
package import SluiceStore

/// An open mirror: the store of its files, its lock and its ledger.
package struct MirrorFolder: ~Copyable {
    /// The subfolder that marks a folder as a mirror.
    package static let marker = LocalStore.stateFolder
    /// The files that prove that a mirror is complete: the certificate, and an empty one if nothing is missing.
    package static let proofFiles = ["certificate.json", "_SUCCESS"]
    /// The folder for incomplete downloads and staged files.
    package static let partial = "\(marker)/partial"
    /// The maximum length of the folder's path in bytes.
    ///
    /// SQLite accepts at most 511 bytes for the ledger's path.
    private static let maximumPathLength = 480

    /// The names in the folder that every run rewrites.
    static let rewritten: Set = [
        marker, GalleryWriter.frontPage, "gallery", RunReport.jsonFile, RunReport.pageFile,
    ]

    package let store: any Store
    /// The local folder with the ledger, the lock and incomplete downloads: for a local mirror, its own folder.
    package let state: Folder
    package let ledger: Ledger
    /// Keeps a location in a bucket for this run; `nil` for a local mirror.
    private let session: BucketSession?
    private let lock: FolderLock?
    /// The temporary state folder of a dry run; `nil` in a real run.
    private let scratch: ScratchFolder?

    /// Opens a mirror for a run, or creates it in a new or empty folder or bucket, unless it `mustExist`.
    ///
    /// Refuses a folder that belongs to another user and is writable by others, unless the options allow it. That of a
    /// dry run keeps nothing, and has a copy of the ledger.
    static func open(
        _ path: String, for options: RunOptions, mustExist: Bool, isDryRun: Bool = false
    ) throws(MirrorError) -> MirrorFolder {
        let mirror =
            try isDryRun
            ? openForDryRun(path, for: options, mustExist: mustExist)
            : openUnfinished(path, for: options, mustExist: mustExist)
        // The run's end writes the output.
        try mirror.ledger.finishRemovals(in: mirror.store)
        return mirror
    }

    private static func openUnfinished(
        _ path: String, for options: RunOptions, mustExist: Bool
    ) throws(MirrorError) -> MirrorFolder {
        guard let bucket = try BucketMirror(path, options.buckets) else {
            if mustExist { return try openUnfinished(path) }
            let (folder, isNew) = try prepare(path, allowsUntrusted: options.allowsUntrustedFolder)
            return try MirrorFolder(in: folder, createsLedger: isNew)
        }
        let state = try bucket.statePath()
        let (folder, _) = try prepare(state, allowsUntrusted: options.allowsUntrustedFolder, isBucketState: true)
        return try MirrorFolder(in: folder, of: bucket, mustExist: mustExist)
    }

    /// Opens a mirror for a dry run: nothing is changed or created in it.
    private static func openForDryRun(
        _ path: String, for options: RunOptions, mustExist: Bool
    ) throws(MirrorError) -> MirrorFolder {
        let scratch = try MirrorError.onDisk(ScratchFolder())
        let bucket = try BucketMirror(path, options.buckets)
        if bucket == nil, mustExist {
            return try MirrorFolder(dryRunIn: try find(path), isNew: false, mustExist: true, scratch, of: nil)
        }
        let (folder, isNew) = try prepare(
            bucket?.statePath() ?? path, allowsUntrusted: options.allowsUntrustedFolder, isBucketState: bucket != nil,
            insteadOfMissing: scratch)
        return try MirrorFolder(dryRunIn: folder, isNew: isNew, mustExist: mustExist, scratch, of: bucket)
    }

    /// Opens or creates a folder for a run, and returns whether it is new.
    ///
    /// `scratch` takes the place of a missing folder, which is then not created.
    private static func prepare(
        _ path: String, allowsUntrusted: Bool, isBucketState: Bool = false,
        insteadOfMissing scratch: ScratchFolder? = nil
    ) throws(MirrorError) -> (folder: Folder, isNew: Bool) {
        let length = Folder.absoluteLength(of: path)
        guard length <= maximumPathLength else {
            let reason = "its absolute path has \(length) bytes, the limit is \(maximumPathLength)"
            throw MirrorError(
                .local, "cannot use '\(path)' as the output folder: \(reason)", hint: .shortenFolderPath)
        }
        let folder: Folder
        let names: [String]
        do throws(FileError) {
            // The options may allow an existing folder of another user.
            folder =
                if let existing = try? Folder(path) { existing } else if let scratch {
                    try scratch.replacement(of: path)
                } else {
                    try Folder(path, create: true, isPrivate: isBucketState)
                }
            names = try folder.names()
        } catch {
            let reason = error.isNotAFolder ? error.reason : error.description
            throw MirrorError(.local, "cannot use '\(path)' as the output folder: \(reason)", hint: .chooseFolder)
        }
        guard names.isEmpty || names.contains(marker) else {
            throw MirrorError(
                .usage,
                "cannot use '\(path)' as the output folder: it has other files and is not a mirror",
                hint: .chooseFolder)
        }
        // Without the ledger, new photos could get the names of existing files and replace them. A run that was killed
        // before its ledger was safe leaves at most files that every run rewrites or removes.
        let isNew = names.allSatisfy { rewritten.contains($0) || $0.hasPrefix(Folder.probePrefix) }
        if !isBucketState { try refuseBucketState(folder) }
        // That of a bucket may be there.
        if !isNew, !isBucketState { try checkLedger(in: folder) }
        guard allowsUntrusted || !folder.isUntrusted else {
            let reason = "it belongs to another user and is writable by others"
            throw MirrorError(
                .local, "cannot use '\(path)' as the output folder: \(reason)",
                hint: .chooseFolderOrAllowUntrusted)
        }
        return (folder, isNew)
    }

    /// Throws if a folder has only the ledger of a mirror in a bucket.
    private static func refuseBucketState(_ folder: Folder) throws(MirrorError) {
        guard let known = try BucketMirror.recorded(in: folder) else { return }
        throw MirrorError(.usage, "cannot open mirror '\(folder.path)': its files are in '\(known.location)'")
    }

    /// Opens an existing mirror, and finishes the intentions of a killed command.
    ///
    /// Without `completesOutput` the caller writes manifest and gallery. That of a dry run keeps nothing.
    package static func open(
        _ path: String, buckets: S3Options = S3Options(), completesOutput: Bool = true, isDryRun: Bool = false
    ) throws(MirrorError) -> MirrorFolder {
        var options = RunOptions()
        options.buckets = buckets
        let mirror =
            try isDryRun
            ? openForDryRun(path, for: options, mustExist: true) : openUnfinished(path, buckets: buckets)
        try mirror.ledger.finishRemovals(in: mirror.store)
        if completesOutput, try mirror.hasOutdatedOutput { try mirror.completeOutput() }
        return mirror
    }

    /// Whether a command has changed the ledger without writing existing output again.
    private var hasOutdatedOutput: Bool {
        get throws(MirrorError) {
            guard try MirrorError.inLedger(ledger.exportStamp()) == nil else { return false }
            return try owesOutput || store.size(of: ManifestWriter.names[0]) != nil
        }
    }

    /// Whether a command has removed files without writing manifest and gallery again.
    var owesOutput: Bool {
        get throws(MirrorError) { try MirrorError.inLedger(ledger.intentions()).contains(.writeOutput) }
    }

    private static func openUnfinished(
        _ path: String, buckets: S3Options = S3Options()
    ) throws(MirrorError) -> MirrorFolder {
        guard let bucket = try BucketMirror(path, buckets) else {
            return try MirrorFolder(in: try find(path), createsLedger: false)
        }
        let (folder, _) = try prepare(bucket.statePath(), allowsUntrusted: false, isBucketState: true)
        return try MirrorFolder(in: folder, of: bucket, mustExist: true)
    }

    /// Opens an existing mirror without changing it.
    ///
    /// It may be on a read-only or full disk. One in a bucket is read with a local copy of its ledger.
    package static func open(
        reading path: String, buckets: S3Options = S3Options()
    ) throws(MirrorError) -> MirrorFolder {
        if let bucket = try BucketMirror(path, buckets) {
            let (folder, _) = try prepare(bucket.statePath(), allowsUntrusted: false, isBucketState: true)
            return try MirrorFolder(in: folder, reading: bucket)
        }
        let folder = try find(path)
        let isReadOnly = [marker, Ledger.name].contains { folder.isReadOnly($0) }
        if isReadOnly { return try MirrorFolder(reading: folder) }
        do throws(MirrorError) {
            return try MirrorFolder(in: folder, createsLedger: false)
        } catch {
            // Reading needs no space, for example on a full disk.
            guard error.code == .local, let mirror = try? MirrorFolder(reading: folder) else { throw error }
            return mirror
        }
    }

    /// Opens the folder of an existing mirror without its ledger and without locking it.
    package static func find(_ path: String) throws(MirrorError) -> Folder {
        guard !S3Location.isLocation(path) else {
            throw MirrorError(.usage, "cannot open mirror '\(path)': this is not supported for buckets")
        }
        let folder: Folder
        let names: [String]
        do throws(FileError) {
            folder = try Folder(path)
            names = try folder.names()
        } catch {
            let isUsageError = error.isMissing || error.isNotAFolder
            throw MirrorError(isUsageError ? .usage : .local, "cannot open mirror '\(path)': \(error.reason)")
        }
        guard names.contains(marker) else {
            throw MirrorError(
                .usage, "cannot open mirror '\(path)': it is not a mirror, because it has no \(marker)",
                hint: .chooseMirror)
        }
        try refuseBucketState(folder)
        return folder
    }

    private init(in folder: Folder, createsLedger: Bool) throws(MirrorError) {
        let lock = try Self.lock(folder)
        try MirrorError.onDisk(Ledger.finishRebuild(in: folder))
        // A new, empty ledger would cause the existing manifest and gallery to be overwritten.
        if !createsLedger { try Self.checkLedger(in: folder) }
        let state = try MirrorError.onDisk(folder.keepingOpen(Self.partial))
        ledger = try MirrorError.inLedger(Ledger(in: folder, creates: createsLedger))
        (self.state, store) = (state, LocalStore(state, stagingIn: Self.partial))
        (session, scratch) = (nil, nil)
        self.lock = consume lock
    }

    /// Opens a mirror for a dry run, whose state is a copy in `scratch`.
    private init(
        dryRunIn folder: Folder, isNew: Bool, mustExist: Bool, _ scratch: ScratchFolder, of bucket: BucketMirror?
    ) throws(MirrorError) {
        let lock = try Self.lockForReading(folder)
        do throws(FileError) { try folder.checkWriteAccess() } catch { throw Self.unwritable(folder, because: error) }
        let hasLedger = (folder.size(of: Ledger.name) ?? 0) > 0 || Ledger.isRebuilt(in: folder)
        if bucket == nil, !isNew { try Self.checkLedger(in: folder) }
        let state = try MirrorError.onDisk(Folder(scratch.path))
        try MirrorError.onDisk(state.makeFolder(Self.partial))
        try MirrorError.onDisk(Self.copyState(from: folder, to: state))
        if hasLedger { try MirrorError.inLedger(Ledger.copyUnchanged(from: folder, to: state)) }
        let base: any Store =
            try bucket?.openForDryRun(in: state, mustExist: mustExist) ?? LocalStore(folder, stagingIn: Self.partial)
        let isEmpty = bucket == nil ? isNew : !mustExist && (state.size(of: Ledger.name) ?? 0) == 0
        ledger = try MirrorError.inLedger(Ledger(in: state, creates: isEmpty))
        (store, self.state, self.scratch, session) = (DryStore(base), state, scratch, nil)
        self.lock = consume lock
    }

    /// Copies the small files beside the ledger, such as the gallery's appearance.
    private static func copyState(from folder: Folder, to state: Folder) throws(FileError) {
        guard folder.path !== state.path, let names = try? folder.names(in: marker) else { return }
        for name in names.map({ "\(marker)/\($0)" }) where name != lockName && !name.hasPrefix(Ledger.name) {
            guard folder.size(of: name) != nil else { continue }
            try state.write(folder.read(name, limit: 16 << 20), to: name, flushed: false)
        }
    }

    /// Opens a mirror in a bucket, with its local folder.
    private init(in folder: Folder, of bucket: BucketMirror, mustExist: Bool) throws(MirrorError) {
        let lock = try Self.lock(folder)
        let state = try MirrorError.onDisk(folder.keepingOpen(Self.partial))
        let (store, session) = try bucket.open(in: state)
        let isLinked = try MirrorError.onDisk(folder.hasLinkedLedger())
        let isNew = !mustExist && (folder.size(of: Ledger.name) ?? 0) == 0 && !isLinked
        if !isNew { try Self.checkLedger(in: folder) }
        ledger = try MirrorError.inLedger(Ledger(in: folder, creates: isNew))
        session.begin(ledger, leaseSeconds: bucket.leaseSeconds)
        (self.state, self.store, self.session, scratch) = (state, store, session, nil)
        self.lock = consume lock
    }

    /// Opens a mirror in a bucket for reading, with its local folder, which gets the newest ledger.
    private init(in folder: Folder, reading bucket: BucketMirror) throws(MirrorError) {
        let lock = try Self.lock(folder)
        let state = try MirrorError.onDisk(folder.keepingOpen(Self.partial))
        let store = try bucket.openForReading(in: state)
        try Self.checkLedger(in: folder)
        ledger = try MirrorError.inLedger(Ledger(in: folder, creates: false))
        (self.state, self.store, session, scratch) = (state, store, nil, nil)
        self.lock = consume lock
    }

    private init(reading folder: Folder) throws(MirrorError) {
        try Self.checkLedger(in: folder)
        let lock = try Self.lockForReading(folder)
        let ledger = try MirrorError.inLedger(Ledger(reading: folder))
        state = folder
        store = LocalStore(folder, stagingIn: Self.partial)
        (session, scratch) = (nil, nil)
        self.ledger = ledger
        self.lock = consume lock
    }

    private static func checkLedger(in folder: Folder) throws(MirrorError) {
        // Something that is not a file, such as a symbolic link, is refused with its own message.
        let isLinked = try MirrorError.onDisk(folder.hasLinkedLedger())
        guard isLinked || folder.size(of: Ledger.name) ?? 0 > 0 || Ledger.isRebuilt(in: folder) else {
            throw MirrorError(
                .damaged,
                "cannot open mirror '\(folder.path)': the ledger (\(Ledger.name)) is missing", hint: .rebuildLedger)
        }
    }

    /// Takes a shared lock, because another process may have write access to the folder.
    private static func lockForReading(_ folder: Folder) throws(MirrorError) -> FolderLock? {
        do throws(FileError) {
            return try FolderLock(reading: lockName, in: folder)
        } catch {
            // A copy of a mirror may have no lock file. Without write access, none is needed.
            if error.isLocked { throw MirrorError(error) }
            return nil
        }
    }

    fileprivate static let lockName = "\(marker)/lock"

    /// Takes the exclusive lock and checks that the folder is writable.
    package static func lock(_ folder: Folder) throws(MirrorError) -> FolderLock {
        do throws(FileError) {
            return try folder.lockForWriting()
        } catch {
            if error.isLocked { throw MirrorError(error) }
            throw unwritable(folder, because: error)
        }
    }

    private static func unwritable(_ folder: Folder, because error: FileError) -> MirrorError {
        MirrorError(.local, "cannot write to '\(folder.path)': \(error)", hint: error.hintInMirror ?? .checkPermissions)
    }

    /// Whether nothing that is written is kept.
    var isDryRun: Bool { scratch != nil }

    /// Whether the finished files are in a bucket.
    package var isInBucket: Bool { S3Location.isLocation(store.location) }

    /// A text that is the same whenever this mirror is opened.
    package borrowing func identity() throws(MirrorError) -> String {
        try isInBucket ? store.location : MirrorError.onDisk(state.resolvedPath())
    }

    /// Lets other machines continue a mirror in a bucket; throws if its ledger could not be copied there.
    package borrowing func endSession() throws(MirrorError) { try session?.end() }

    // Closed explicitly: finished work may retain the ledger for a moment longer. The lock is released after that.
    deinit {
        // A run that has ended has called it before.
        try? session?.end()
        ledger.close()
    }

    /// Closes the ledger and releases the lock; so does the end of the value's lifetime.
    package consuming func close() {}
}

extension Folder {
    /// Whether the ledger's name is that of something other than a file, which opening the ledger refuses.
    ///
    /// Throws if the names may not be read, which says nothing about the ledger.
    fileprivate func hasLinkedLedger() throws(FileError) -> Bool {
        guard size(of: Ledger.name) == nil else { return false }
        do throws(FileError) {
            return try names(in: MirrorFolder.marker).contains { Ledger.name == "\(MirrorFolder.marker)/\($0)" }
        } catch {
            guard !error.isPermissionDenied else { throw error }
            return false
        }
    }

    fileprivate func lockForWriting() throws(FileError) -> FolderLock {
        try makeFolder(MirrorFolder.partial)
        let lock = try FolderLock(MirrorFolder.lockName, in: self)
        // Under the lock, no other process can be performing this check, so its files are leftovers.
        try removeLeftovers { $0.hasPrefix(Folder.probePrefix) }
        try checkWritable()
        return lock
    }
}
