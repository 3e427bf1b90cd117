// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel

/// What became of photos with the same bytes.
public struct MergeReport: Sendable, Hashable {
    /// Files that share their bytes with another now.
    public internal(set) var merged = 0
    /// Bytes that they took up and need no more.
    public internal(set) var bytes = 0
    /// Files that are left as they are, because the disk cannot share or they are not what their receipts tell.
    public internal(set) var left = 0
}

extension Mirror {
    /// Keeps the same bytes once: whatever originals have the same content share it, each under its own name.
    ///
    /// Where the file system can (Btrfs, XFS, bcachefs), two files share the blocks on the disk and stay two: changing one
    /// leaves the other. Elsewhere one file gets both names (a hard link). Nothing is shared unless all of it was compared.
    public static func mergeContents(in folder: String) throws(MirrorError) -> MergeReport {
        let place = try MirrorFolder.open(folder)
        let originals = try MirrorError.inLedger(place.ledger.repeatedOriginals())
        var report = MergeReport()
        for group in Dictionary(grouping: originals, by: \.sha256).values {
            guard let first = group.first(where: { place.folder.holds($0.file) }) else { continue }
            for other in group where other != first {
                do throws(FileError) {
                    guard place.folder.holds(other.file) else { continue }
                    let isNew = try place.folder.share(
                        first.path, with: other.path, temporary: "\(MirrorFolder.partial)/\(other.seq)-merge")
                    guard isNew else { continue }
                    report.merged += 1
                    report.bytes += other.bytes
                } catch {
                    guard !error.isDiskFull else { throw MirrorError(error) }
                    report.left += 1
                }
            }
        }
        place.close()
        return report
    }
}

extension Original {
    /// Where it is, and what it must be.
    fileprivate var file: StoredFile { StoredFile(path: path, bytes: bytes, sha256: sha256) }
}
