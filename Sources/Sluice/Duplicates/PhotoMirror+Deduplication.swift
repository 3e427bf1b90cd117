// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore

/// The result of deduplicating a mirror's originals.
public struct DeduplicationReport: Sendable, Hashable {
    /// The number of files that now share their content with another.
    public internal(set) var merged = 0
    /// The number of bytes saved.
    public internal(set) var bytes = 0
    /// The number of files that could not be shared.
    public internal(set) var left = 0
}

extension PhotoMirror {
    /// Stores identical originals once; each keeps its own name.
    ///
    /// On file systems with block sharing (Btrfs, XFS, bcachefs) the files remain independent: changing one does not
    /// change the other. On others, the names become hard links to one file. All bytes are compared before sharing.
    /// A dry run changes nothing.
    public static func deduplicate(
        in folder: String, buckets: S3Options = S3Options(), isDryRun: Bool = false
    ) throws(MirrorError) -> DeduplicationReport {
        let mirror = try MirrorFolder.open(folder, buckets: buckets, isDryRun: isDryRun)
        guard let sharing = mirror.store.sharing else {
            throw MirrorError(
                .usage, "cannot merge duplicates in '\(folder)': its storage cannot share identical files")
        }
        let originals = try MirrorError.inLedger(mirror.ledger.originalsWithSharedContent())
        var report = DeduplicationReport()
        for group in [ExactText: [Original]](grouping: originals, by: { ExactText($0.sha256) }).values {
            let intact = group.filter { original in
                do throws(FileError) {
                    return try mirror.store.contains(original.file)
                } catch {
                    report.left += 1
                    return false
                }
            }
            guard let first = intact.first else { continue }
            for other in intact.dropFirst() {
                do throws(FileError) {
                    let isNew = try sharing.shareContent(
                        of: first.path, with: other.path, temporary: "\(MirrorFolder.partial)/\(other.seq)-merge",
                        flushed: true)
                    guard isNew else { continue }
                    report.merged += 1
                    report.bytes.add(other.bytes)
                } catch {
                    guard !error.isDiskFull else { throw MirrorError(error) }
                    report.left += 1
                }
            }
        }
        mirror.close()
        return report
    }
}

extension Original {
    /// The file with its expected size and hash.
    fileprivate var file: StoredFile { StoredFile(path: path, bytes: bytes, sha256: sha256) }
}
