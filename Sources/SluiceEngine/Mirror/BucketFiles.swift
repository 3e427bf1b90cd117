// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
package import SluiceStore

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

    /// Releases the lock.
    package consuming func release() {}
}
