// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceFiles
package import SluiceModel
internal import SluiceSystem
internal import SluiceTransfer

/// Files in an S3-compatible bucket, below a prefix.
///
/// Files are staged in memory or in a local folder, and uploaded when they are committed: an object exists only if it
/// is complete. Files that are opened are downloaded to the local folder first, and checked.
package final class S3Store: Store {
    /// Files up to this size are staged in memory.
    private static let memoryLimit = 1 << 20
    /// Originals are staged on the disk while this many bytes are staged in memory.
    private static let stagingLimit = 32 << 20

    let place: S3Location
    let client: S3Client
    /// The local folder for staged files and for copies of opened ones, and its subfolder for them.
    private let folder: Folder
    private let stagingFolder: String
    /// The known sizes of all objects, if this is their only writer.
    private let index: S3Index?
    /// The right to write, without which all changes fail; `nil` if none is needed.
    private let lease: S3Lease?
    private let staged = Locked(StagedContents())
    /// The versions of the objects that ``replace(_:)`` has written.
    private let replaced = Locked<TextMap<String>>([:])
    /// False after the service has failed to copy an object.
    private let copiesObjects = Locked(true)
    /// The number of copies of this process; its identifier is also part of their names, because stores share folders.
    private static let copies = Locked(0)

    /// Creates a store of the objects at a bucket's location; `folder` has the subfolder `stagingFolder`.
    ///
    /// With `isOnlyWriter`, sizes come from one listing and from the store's own changes. It sends no request.
    package init(
        _ bucket: S3Bucket, folder: Folder, stagingIn stagingFolder: String, isOnlyWriter: Bool = false,
        lease: S3Lease? = nil
    ) {
        place = bucket.location
        client = bucket.client
        (self.folder, self.stagingFolder, self.lease) = (folder, stagingFolder, lease)
        index = isOnlyWriter ? S3Index(client, prefix: place.keyPrefix) : nil
    }

    /// The location: `s3://bucket/prefix`.
    package var location: String { place.description }

    private func key(of name: String) -> String { place.key(of: name) }

    private func path(ofStaged temporary: String) -> String {
        "\(stagingFolder)/\(temporary.replacing("/", with: "-"))"
    }

    /// Runs `body` and converts its error.
    func converting<Value: ~Copyable>(
        _ operation: String, _ name: String, _ body: () throws(S3Error) -> Value
    ) throws(FileError) -> Value {
        do throws(S3Error) { return try body() } catch {
            let location = name.isEmpty ? location : place.appending(name)
            throw error.fileError(operation, location, bucket: place.bucket)
        }
    }

    /// Returns the files of a folder that no process writes to, so that sizes come from one listing.
    package func unchanging(_ name: String) -> S3Store {
        let bucket = S3Bucket(place.below(name), client: client)
        return S3Store(bucket, folder: folder, stagingIn: stagingFolder, isOnlyWriter: true)
    }

    // MARK: Writing

    /// Two: the service stores the files of one while the ledger records those of the other.
    package var concurrentCommits: Int { 2 }

    /// Keeps a small file in memory, and writes a large one to the local folder.
    package func stage(
        _ bytes: [UInt8], as name: String, temporary: String, durability: Durability
    ) throws(FileError) -> StagedFile {
        let temporary = path(ofStaged: temporary)
        guard bytes.count <= Self.memoryLimit else {
            return try folder.stage(bytes, as: name, temporary: temporary, flushed: false)
        }
        staged.withLock { $0.set(.bytes(bytes), for: temporary) }
        return StagedFile(temporary: temporary, name: name)
    }

    /// The size of small files, as long as memory is left.
    package var memoryForStaging: Int { staged.withLock { $0.bytes } < Self.stagingLimit ? Self.memoryLimit : 0 }

    /// Remembers the copy, which the service makes when it is committed.
    package func stageCopy(of source: String, as file: StoredFile, temporary: String) -> StagedFile {
        let temporary = path(ofStaged: temporary)
        staged.withLock { $0.set(.copy(of: source, file), for: temporary) }
        return StagedFile(temporary: temporary, name: file.path)
    }

    /// Creates a local file that is uploaded when it is committed.
    package func create(_ name: String) throws(FileError) -> NewFile {
        try NewFile(name, in: folder, temporary: path(ofStaged: name))
    }

    /// Uploads the files concurrently, those at the top level after the others that they refer to.
    ///
    /// The service makes objects durable, whatever `durability` is.
    package func commit(_ files: [StagedFile], durability: Durability) throws(FileError) -> [StagedFile: FileError] {
        let failures = Locked<[StagedFile: FileError]>([:])
        for group in [files.filter { $0.name.contains("/") }, files.filter { !$0.name.contains("/") }] {
            client.threads.forEach(group) { [self] file in
                do throws(FileError) {
                    try upload(file)
                    discard(file)
                } catch {
                    failures.withLock { $0[file] = error }
                }
            }
        }
        let result = failures.withLock { $0 }
        if let error = result.first?.value, result.count == files.count { throw error }
        return result
    }

    private func upload(_ file: StagedFile) throws(FileError) {
        try lease?.check()
        let key = key(of: file.name)
        let size: Int
        switch staged.withLock({ $0[file.temporary] }) {
        case .bytes(let bytes):
            size = bytes.count
            try converting("write", file.name) { () throws(S3Error) in
                _ = try client.put(bytes, to: key, sha256: file.sha256)
            }
        case .copy(let source, let content):
            size = content.bytes
            guard try !copy(source, to: content) else { break }
            let local = try open(source)
            try converting("write", file.name) { () throws(S3Error) in try client.put(local, to: key) }
        case nil:
            let local = try folder.openForReading(file.temporary)
            size = try local.size
            try converting("write", file.name) { () throws(S3Error) in
                try client.put(local, to: key, sha256: file.sha256)
            }
        }
        index?.set(size, of: key)
    }

    /// Uploads a staged file that replaces an object again and again, unless another writer has replaced it.
    ///
    /// The request states the version that this store has written or found, so that a process that was frozen during
    /// the request cannot undo a later replacement.
    package func replace(_ file: StagedFile) throws(FileError) {
        let key = key(of: file.name)
        let local = try folder.openForReading(file.temporary)
        let size = try local.size
        try replaced.withLock { (replaced) throws(FileError) in
            var version = replaced[file.name]
            if version == nil {
                version = try converting("write", file.name) { () throws(S3Error) in try client.head(key)?.etag }
            }
            // After the version was found: a later holder of the lease may have written it.
            try lease?.check()
            // A request that fails may have stored the file.
            replaced[file.name] = nil
            version = try converting("write", file.name) { () throws(S3Error) in
                try client.replace(key, version, with: local, sha256: file.sha256)
            }
            guard let version else {
                throw S3Error.invalid("the lease was lost: another run has replaced it")
                    .fileError("write", place.appending(file.name), bucket: place.bucket)
            }
            replaced[file.name] = version
        }
        discard(file)
        index?.set(size, of: key)
    }

    /// Lets the service copy an object; returns false if it cannot.
    private func copy(_ source: String, to file: StoredFile) throws(FileError) -> Bool {
        guard copiesObjects.withLock({ $0 }) else { return false }
        let isCopied = try converting("write", file.path) { () throws(S3Error) in
            try client.copy(key(of: source), to: key(of: file.path), size: file.bytes, sha256: file.sha256)
        }
        // A large object is no reason to give up copying others.
        if !isCopied, file.bytes < S3Client.multipartSize { copiesObjects.withLock { $0 = false } }
        return isCopied
    }

    /// Removes a staged file from memory or from the local folder.
    package func discard(_ file: StagedFile) {
        // If the removal fails, the next run removes the leftover.
        if !staged.withLock({ $0.remove(file.temporary) }) { try? folder.remove(file.temporary) }
    }

    /// Removes objects in the given order.
    package func remove(_ names: [String], durability: Durability) throws(FileError) {
        for name in names {
            try lease?.check()
            let key = key(of: name)
            try converting("remove", name) { () throws(S3Error) in try client.delete(key) }
            index?.set(nil, of: key)
        }
    }

    /// Removes all objects below a folder, concurrently.
    package func removeFolder(_ name: String) throws(FileError) {
        let prefix = key(of: "\(name)/")
        let failure = Locked<FileError?>(nil)
        try converting("remove", name) { () throws(S3Error) in
            var listing = S3Listing(client, prefix: prefix)
            while let page = try listing.next() {
                DedicatedThread.forEach(page.objects, width: S3Client.width) { [self] object in
                    do throws(FileError) {
                        try remove([place.name(ofKey: object.key)], durability: .none)
                    } catch {
                        failure.withLock { $0 = error }
                    }
                }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Removes the objects that still have the recorded content, concurrently; returns the others.
    ///
    /// The condition is part of the request, so that an object that is replaced at the same time remains.
    package func removeUnchanged(_ files: [StoredFile], durability: Durability) throws(FileError) -> [StoredFile] {
        let result = Locked((changed: [StoredFile](), failure: FileError?.none))
        DedicatedThread.forEach(files, width: S3Client.width) { [self] file in
            do throws(FileError) {
                try lease?.check()
                let key = key(of: file.path)
                let isRemoved = try converting("remove", file.path) { () throws(S3Error) in
                    try client.delete(key, ifSize: file.bytes, sha256: file.sha256)
                }
                if isRemoved { index?.set(nil, of: key) } else { result.withLock { $0.changed.append(file) } }
            } catch {
                result.withLock { $0.failure = error }
            }
        }
        let (changed, failure) = result.withLock { $0 }
        if let failure { throw failure }
        return changed
    }

    /// Removes the parts of uploads that killed writers of the location did not complete.
    ///
    /// It needs a lease. A service that cannot list them is left as it is.
    package func abortUploads() { _ = try? client.abortUploads(below: place.keyPrefix) }

    /// Uploads an object unless it exists; returns whether it did.
    package func writeIfAbsent(_ bytes: [UInt8], to name: String, temporary: String) throws(FileError) -> Bool {
        try lease?.check()
        let key = key(of: name)
        let isStored = try converting("write", name) { () throws(S3Error) in
            try client.put(bytes, ifAbsent: key)
        }
        if isStored { index?.set(bytes.count, of: key) }
        return isStored
    }

    // MARK: Reading

    /// Downloads an object to the local folder, and opens this copy, which has no name.
    package func open(_ name: String) throws(FileError) -> OpenFile { try copy(name).open() }

    /// Downloads an object like ``open(_:)``; the stamp is that of the object.
    package func openWithStamp(_ name: String) throws(FileError) -> StampedFile {
        let copy = try copy(name)
        let stamp = copy.stamp
        return StampedFile(try copy.open(), stamp: stamp)
    }

    /// Downloads an object to the local folder; one whose known `size` is small, to memory.
    package func copy(_ name: String, size: Int? = nil) throws(FileError) -> ObjectCopy {
        let number = Self.copies.withLock { copies in
            copies += 1
            return copies
        }
        let file = path(ofStaged: "copy-\(getpid())-\(number)")
        let partial: PartialFile
        if let size, size <= Self.memoryLimit {
            partial = try PartialFile(inMemory: file, in: folder)
        } else {
            // A killed process may have left a copy of another object.
            try folder.remove(file)
            partial = try PartialFile(file, in: folder)
        }
        do throws(FileError) {
            let object = try converting("open", name) { () throws(S3Error) in
                // One that was replaced by a large object meanwhile must not fill the memory.
                let limit = partial.isInMemory ? Self.memoryLimit : .max
                return try client.get(key(of: name), into: partial, limit: limit)
            }
            return ObjectCopy(stamp: object.stamp, sha256: object.sha256, partial: partial, folder: folder)
        } catch {
            try? partial.remove()
            throw error
        }
    }

    /// Returns the size of an object; `nil` if it does not exist, or if the service does not tell.
    package func size(of name: String) -> Int? {
        let key = key(of: name)
        do throws(S3Error) {
            if let index { return try index.size(of: key) }
            return try client.head(key)?.size
        } catch {
            return nil
        }
    }

    /// Returns the object's size and entity tag; `nil` if it does not exist.
    package func stamp(of name: String) -> String? { try? client.head(key(of: name))?.stamp }

    /// Returns this store: its sizes come from one listing if it is the only writer.
    package func sizes() -> any FileSizes { self }

    /// Lists the objects and prefixes directly below a folder.
    package func list(_ folder: String) throws(FileError) -> [FolderEntry] {
        let prefix = key(of: folder.isEmpty ? "" : "\(folder)/")
        var entries: [FolderEntry] = []
        try converting("list", folder) { () throws(S3Error) in
            var listing = S3Listing(client, prefix: prefix, isFolder: true)
            while let page = try listing.next() {
                entries += page.objects.map {
                    FolderEntry(name: $0.key.dropping(prefix: prefix), stamp: $0.stamp)
                }
                entries += page.folders.map {
                    FolderEntry(name: String($0.dropping(prefix: prefix).dropLast()), stamp: nil)
                }
            }
        }
        entries.removeAll { $0.name.isEmpty }
        guard !entries.isEmpty || folder.isEmpty else {
            throw S3Error(code: .noSuchKey).fileError("list", place.appending(folder), bucket: place.bucket)
        }
        return entries.sorted { ExactText($0.name) < ExactText($1.name) }
    }

    /// `nil`: objects cannot share their bytes.
    package var sharing: (any ContentSharing)? { nil }

    /// Uploads objects on the condition that they do not exist.
    package var exclusiveWriting: (any ExclusiveWriting)? { self }
}

extension S3Store: FileSizes, ExclusiveWriting {}

/// The contents of staged files that are not on the disk, by their temporary names.
struct StagedContents: Sendable {
    /// The contents that an object gets when it is committed.
    enum Content: Sendable {
        case bytes([UInt8])
        /// The content of another object.
        case copy(of: String, StoredFile)

        fileprivate var size: Int { if case .bytes(let bytes) = self { bytes.count } else { 0 } }
    }

    private var contents: TextMap<Content> = [:]
    /// The size of all contents in memory.
    private(set) var bytes = 0

    subscript(temporary: String) -> Content? { contents[temporary] }

    mutating func set(_ content: Content, for temporary: String) {
        remove(temporary)
        contents[temporary] = content
        bytes += content.size
    }

    /// Removes a content; returns false if there is none.
    @discardableResult
    mutating func remove(_ temporary: String) -> Bool {
        guard let content = contents.removeValue(forKey: temporary) else { return false }
        bytes -= content.size
        return true
    }
}
