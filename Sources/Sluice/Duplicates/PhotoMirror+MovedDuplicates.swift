// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// The result of moving photos out of a mirror.
public struct MovedPhotos: Sendable, Hashable {
    /// The paths of the moved originals, relative to the mirror's folder.
    public internal(set) var moved: [String] = []
    /// Their size in bytes.
    public internal(set) var bytes = 0
    /// The photos that stay.
    public internal(set) var refused: [Refusal] = []

    /// A photo that stays.
    public struct Refusal: Sendable, Hashable {
        /// The path of the original, relative to the mirror's folder.
        public let path: String
        /// The reason.
        public let reason: String
    }

    fileprivate mutating func refuse(_ photo: DuplicateGroup.Member, _ reason: String) {
        refused.append(Refusal(path: photo.path, reason: reason))
    }
}

extension PhotoMirror {
    /// Moves the originals of copies to another folder, and removes their thumbnails.
    ///
    /// The ledger keeps the photos as skipped, with the cause `duplicate`. No later run downloads them, unless it
    /// retries this cause. A copy stays if its file, or that of the best photo, does not match its receipt. `reference`
    /// is the mirror with the best photos that are marked as such. The manifest and the gallery are not written again.
    /// A dry run changes nothing.
    public static func moveCopies(
        of groups: [DuplicateGroup], in folder: String, to target: String, reference: String? = nil,
        isDryRun: Bool = false
    ) throws(MirrorError) -> MovedPhotos {
        let mirror = try MirrorFolder.open(folder, isDryRun: isDryRun)
        let destination = try destination(target, outside: mirror, of: folder, isDryRun: isDryRun)
        var result = MovedPhotos()
        guard let reference else {
            for group in groups { try move(group, from: mirror, best: mirror.store, to: destination, &result) }
            return result
        }
        let other = try MirrorFolder.open(reading: reference)
        for group in groups {
            let isReference = group.members[0].isReference
            try move(group, from: mirror, best: isReference ? other.store : mirror.store, to: destination, &result)
        }
        return result
    }

    private static func destination(
        _ target: String, outside mirror: borrowing MirrorFolder, of folder: String, isDryRun: Bool
    ) throws(MirrorError) -> any Store {
        if mirror.isInBucket {
            throw MirrorError(.usage, "cannot move photos of '\(mirror.store.location)': it is in a bucket")
        }
        let (path, own) = try (
            MirrorError.onDisk(Folder.nearest(to: target).resolvedPath()),
            MirrorError.onDisk(Folder(folder).resolvedPath())
        )
        guard path != own, !path.hasPrefix(own + "/") else {
            throw MirrorError(.usage, "cannot move photos to '\(target)': it is inside the mirror")
        }
        if isDryRun { return try MirrorError.onDisk(DryStore(ofOutput: target)) }
        return try MirrorError.onDisk(LocalStore(Folder(target, create: true)))
    }

    private static func move(
        _ group: DuplicateGroup, from mirror: borrowing MirrorFolder, best: any Store,
        to destination: any Store, _ result: inout MovedPhotos
    ) throws(MirrorError) {
        let kept = group.members[0]
        let isIntact = (try? best.contains(StoredFile(path: kept.path, bytes: kept.bytes, sha256: kept.sha256))) == true
        for photo in group.droppable {
            guard isIntact else {
                result.refuse(photo, "the file of the photo to keep has changed")
                continue
            }
            guard let entry = try MirrorError.inLedger(mirror.ledger.entry(at: photo.item)),
                let receipt = entry.receipt, let original = receipt.original, original.sha256 == photo.sha256
            else { continue }
            do throws(FileError) {
                let name = "\(photo.item)-\(original.path.split(separator: "/").last ?? "photo")"
                guard try copy(original, from: mirror.store, to: destination, as: name) else {
                    result.refuse(photo, "its file has changed, or another file has its name")
                    continue
                }
                if let sidecar = receipt.sidecar {
                    _ = try copy(sidecar, from: mirror.store, to: destination, as: "\(name).xmp")
                }
            } catch {
                guard !error.isDiskFull else { throw MirrorError(error) }
                result.refuse(photo, error.reason)
                continue
            }
            let reason = kept.isReference ? "a copy is in the reference" : "a copy of \(kept.item)"
            try mirror.ledger.drop([(entry, Failure(.duplicate, reason))], from: mirror.store)
            result.moved.append(photo.path)
            result.bytes.add(original.bytes)
        }
    }

    private static let pieceSize = 1 << 20

    /// Copies a file durably; returns false if it does not match its receipt, or its new name is taken.
    private static func copy(
        _ original: StoredFile, from store: any Store, to destination: any Store, as name: String
    ) throws(FileError) -> Bool {
        guard try store.contains(original), let file = try store.openComplete(original) else { return false }
        let copy = StoredFile(path: name, bytes: original.bytes, sha256: original.sha256)
        // A run that was killed has left the copy.
        if destination.size(of: name) != nil { return try destination.contains(copy) }
        let new = try destination.create(name)
        for offset in stride(from: 0, to: original.bytes, by: pieceSize) {
            try new.write(file.read(at: offset, count: min(pieceSize, original.bytes - offset)))
        }
        try destination.commitAll([try new.stage(flushed: true)], durability: .each)
        if destination is DryStore { return true }
        return try destination.contains(copy)
    }
}
