// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceLedger
package import SluiceModel
package import SluiceStore
internal import SluiceSystem
internal import SluiceTransfer

/// The location of a mirror or of a plan in a bucket, and the local folder that has its ledger.
package struct BucketMirror {
    /// The file in the local folder that names the location and the owner's id.
    static let record = "\(LocalStore.stateFolder)/bucket"

    private let location: S3Location
    private let options: S3Options

    var leaseSeconds: Int { options.leaseSeconds }

    /// Parses a mirror's location; `nil` if it is a local folder.
    package init?(_ path: String, _ options: S3Options) throws(MirrorError) {
        guard S3Location.isLocation(path) else { return nil }
        guard let location = S3Location(path) else {
            throw MirrorError(.usage, "cannot use '\(path)': expected s3://BUCKET/PREFIX")
        }
        self.location = location
        self.options = options
    }

    /// The local folder for the ledger: the one that the user chose, or one in the user's folder for state.
    package func statePath() throws(MirrorError) -> String {
        if let chosen = options.stateFolder { return chosen }
        guard let parent = KnownSources.userStateFolder else {
            throw MirrorError(
                .usage, "cannot use '\(location)': there is no home folder for its ledger",
                hint: .chooseStateFolder)
        }
        let text = location.description
        let name = text.dropFirst(S3Location.scheme.count).map { $0 == "/" ? "-" : String($0) }.joined()
        return "\(parent)/\(name.prefix(60))-\(Fingerprint(text).short)"
    }

    /// Removes the local folder, when the bucket has the newest ledger.
    package func removeState() throws(MirrorError) {
        let path = try statePath()
        guard let slash = path.lastIndex(of: "/") else { return }
        let parent = try MirrorError.onDisk(Folder(String(path[..<slash])))
        try MirrorError.onDisk(parent.removeTree(String(path[path.index(after: slash)...])))
    }

    /// Opens the store with `state` as its local folder, makes sure that no other run writes to it, and loads the
    /// newest ledger.
    func open(in state: Folder) throws(MirrorError) -> (store: S3Store, session: BucketSession) {
        let id = try recordedID(in: state)
        let bucket = try S3Bucket(location, for: options)
        let path = try MirrorError.onDisk(state.resolvedPath())
        let lease: S3Lease
        do throws(LeaseError) {
            lease = try S3Lease(
                of: bucket, for: id, at: "\(Machine.hostName):\(path)", lasting: options.leaseSeconds,
                allowsUnsafeCommits: options.allowsUnsafeCommits)
        } catch {
            throw MirrorError(error, at: location, in: path)
        }
        let store = S3Store(bucket, folder: state, stagingIn: MirrorFolder.partial, isOnlyWriter: true, lease: lease)
        let session = BucketSession(store, lease: lease, state: state)
        if try loadLedger(named: lease.record, from: store, into: state, of: id) { lease.takeLedger() }
        return (store, session)
    }

    /// Opens the store with `state` as its local folder as a writer would, and loads the newest ledger if there is one,
    /// but does not take the lease.
    func openForDryRun(in state: Folder, mustExist: Bool) throws(MirrorError) -> S3Store {
        if state.size(of: Self.record) == nil, let own = try? Folder(statePath()),
            let bytes = try? own.read(Self.record)
        {
            try MirrorError.onDisk(state.write(bytes, to: Self.record, flushed: false))
        }
        let id = try recordedID(in: state)
        let bucket = try S3Bucket(location, for: options)
        let store = S3Store(bucket, folder: state, stagingIn: MirrorFolder.partial, isOnlyWriter: true)
        let record: LeaseRecord?
        do throws(LeaseError) { record = try S3Lease.record(of: bucket, for: id) } catch {
            throw MirrorError(error, at: location, in: try statePath())
        }
        if let record { _ = try loadLedger(named: record, from: store, into: state, of: id) }
        if record == nil, mustExist { throw noMirror }
        return store
    }

    /// Opens the store for reading with `state` as its local folder, and loads the newest ledger.
    func openForReading(in state: Folder) throws(MirrorError) -> S3Store {
        let id = try recordedID(in: state)
        let bucket = try S3Bucket(location, for: options)
        let store = S3Store(bucket, folder: state, stagingIn: MirrorFolder.partial, isOnlyWriter: true)
        guard let record = try MirrorError.onDisk(bucket.leaseRecord()) else {
            throw noMirror
        }
        _ = try loadLedger(named: record, from: store, into: state, of: id)
        return store
    }

    /// Opens a store to serve the mirror from, which a run may change at the same time.
    package func servedStore() throws(MirrorError) -> any Store {
        let store = try openShared().store
        guard try MirrorError.onDisk(store.bucket.leaseRecord()) != nil else { throw noMirror }
        return store
    }

    /// Whether the last writer of the location has certainly ended: it has released its lease, or it has used the same
    /// local folder, which is locked while a process uses it.
    package func hasEndedWriter() throws(MirrorError) -> Bool {
        let bucket = try S3Bucket(location, for: options)
        guard let record = try MirrorError.onDisk(bucket.leaseRecord()), !record.isReleased else { return true }
        guard let state = try? Folder(statePath()) else { return false }
        return try Self.recorded(in: state)?.id === record.holder
    }

    /// Opens the location beside its writer, if there is one, and a local folder for temporary files.
    ///
    /// With `isUnchanging` nothing is written to it meanwhile, so that sizes come from one listing.
    package func openShared(isUnchanging: Bool = false) throws(MirrorError) -> (store: S3Store, folder: Folder) {
        let path =
            if let chosen = options.stateFolder { "\(chosen)/\(MirrorFolder.marker)/copies" } else {
                "\(try statePath())-copies"
            }
        let folder = try MirrorError.onDisk(Folder(path, create: true, isPrivate: true))
        try MirrorError.onDisk(folder.makeFolder(MirrorFolder.partial))
        let bucket = try S3Bucket(location, for: options)
        let store = S3Store(bucket, folder: folder, stagingIn: MirrorFolder.partial, isOnlyWriter: isUnchanging)
        return (store, folder)
    }

    /// Opens a location for output as a writer would, without writing to it.
    package func openForDryRun() throws(MirrorError) -> DryStore {
        let scratch = try MirrorError.onDisk(ScratchFolder())
        let state = try MirrorError.onDisk(Folder(scratch.path))
        try MirrorError.onDisk(state.makeFolder(MirrorFolder.partial))
        return DryStore(try openForDryRun(in: state, mustExist: false), keeping: scratch)
    }

    private var noMirror: MirrorError {
        MirrorError(.usage, "cannot open mirror '\(location)': there is no mirror at this location")
    }

    /// Replaces the local ledger, which belongs to the writer `id`, by the copy in the bucket, unless the local one is
    /// the newest; returns whether it did.
    ///
    /// The lease names the writer and the copy. A local folder that was restored from a backup has an older ledger,
    /// which lacks the copy's name.
    private func loadLedger(
        named record: LeaseRecord, from store: S3Store, into state: Folder, of id: String
    ) throws(MirrorError) -> Bool {
        let hasLedger = (state.size(of: Ledger.name) ?? 0) > 0
        if hasLedger, record.ledger == id, try contains(record.publication, in: state) { return false }
        do throws(FileError) {
            try Ledger.replace(in: state, by: try store.copy(Ledger.name).stage(as: Ledger.name))
        } catch {
            // A run that was killed at its beginning leaves none.
            guard error.isMissing, record.publication == nil else { throw MirrorError(error) }
            return true
        }
        guard try contains(record.publication, in: state) else {
            throw MirrorError(
                .damaged,
                "cannot open mirror '\(location)': its ledger there is older than the last one that a run has stored; "
                    + "restore \(store.location)/\(Ledger.name), or use the state folder of the last run")
        }
        return true
    }

    private func contains(_ publication: String?, in state: Folder) throws(MirrorError) -> Bool {
        guard let publication else { return true }
        let ledger = try MirrorError.inLedger(Ledger(in: state, creates: false))
        defer { ledger.close() }
        return try MirrorError.inLedger(ledger.contains(publication: publication))
    }

    /// The id of this writer, which a new local folder gets; throws if the folder belongs to another location.
    private func recordedID(in state: Folder) throws(MirrorError) -> String {
        if let known = try Self.recorded(in: state) {
            guard known.location === location.description else {
                throw MirrorError(
                    .usage, "cannot use '\(state.path)' for '\(location)': it is the state of '\(known.location)'",
                    hint: .chooseStateFolder)
            }
            return known.id
        }
        guard (state.size(of: Ledger.name) ?? 0) == 0 else {
            throw MirrorError(
                .usage, "cannot use '\(state.path)' for '\(location)': it is another mirror", hint: .chooseStateFolder)
        }
        let id = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        try MirrorError.onDisk(state.write(Array("\(location)\n\(id)\n".utf8), to: Self.record, flushed: true))
        return id
    }

    /// The location and the id that a local folder records; `nil` if it is not the state of a bucket.
    static func recorded(in folder: Folder) throws(MirrorError) -> (location: String, id: String)? {
        guard folder.size(of: record) != nil else { return nil }
        let text = String(decoding: try MirrorError.onDisk(folder.read(record, limit: 4096)), as: UTF8.self)
        let lines = text.split(separator: "\n")
        guard lines.count == 2 else {
            throw MirrorError(.damaged, "cannot read '\(folder.fullPath(of: record))': it is malformed")
        }
        return (String(lines[0]), String(lines[1]))
    }
}

extension S3Bucket {
    /// Finds the credentials and the service with the user's options.
    package init(_ location: S3Location, isSource: Bool = false, for options: S3Options) throws(MirrorError) {
        do throws(FileError) {
            try self.init(
                location, isSource: isSource, options: options,
                transfer: TransferOptions(userAgent: "Sluice/\(Version.number)"))
        } catch {
            let lacksCredentials = error.isPermissionDenied
            throw MirrorError(
                .usage, error.description, hint: isSource && lacksCredentials ? .readAnonymously : nil)
        }
    }
}

extension MirrorError {
    fileprivate init(_ error: LeaseError, at location: S3Location, in state: String) {
        let subject = "cannot use '\(location)' as the output"
        switch error {
        case .held(let place, let seconds):
            let time = seconds.map { "; its lease ends in \($0) seconds unless that run renews it" } ?? ""
            self.init(.locked, "\(subject): it belongs to the run with its state in \(place)\(time)")
        case .notEmpty:
            self.init(
                .usage, "\(subject): it has other objects, and '\(state)' has no ledger of them",
                hint: .chooseStateFolder)
        case .ignoresConditions:
            self.init(
                .local,
                "\(subject): the service ignores conditions, so that two runs could overwrite each other's objects",
                hint: .allowUnsafeCommits)
        case .file(let error): self.init(.local, "\(subject): \(error.reason)")
        }
    }
}

/// Files at a location in a bucket that is not a mirror, such as an export or a plan, while one process writes there.
package final class BucketFiles: Sendable {
    package let store: any Store
    /// Files in the local folder, which are staged and not committed.
    package let temporary: LocalStore
    /// Keeps the location for this process.
    private let session: BucketSession
    private let lock: FolderLock

    /// Takes a location, which must be empty if nothing has been written to it before; `nil` if it is a local folder.
    package static func open(_ path: String, _ options: S3Options) throws(MirrorError) -> BucketFiles? {
        guard let bucket = try BucketMirror(path, options) else { return nil }
        let path = try bucket.statePath()
        let folder = try MirrorError.onDisk(Folder(path, create: true, isPrivate: true))
        let lock = try MirrorFolder.lock(folder)
        let state = try MirrorError.onDisk(folder.keepingOpen(MirrorFolder.partial))
        let (store, session) = try bucket.open(in: state)
        session.begin(nil, leaseSeconds: bucket.leaseSeconds)
        return BucketFiles(
            store: store, temporary: LocalStore(state, stagingIn: MirrorFolder.partial), session: session, lock: lock)
    }

    private init(store: any Store, temporary: LocalStore, session: BucketSession, lock: consuming FolderLock) {
        (self.store, self.temporary, self.session) = (store, temporary, session)
        self.lock = lock
    }
}

/// A lock on a folder, or on a location in a bucket.
package enum LocationLock: ~Copyable {
    case folder(FolderLock)
    case bucket(BucketFiles)

    package consuming func release() {}
}
