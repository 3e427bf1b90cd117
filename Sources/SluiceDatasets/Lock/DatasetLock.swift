// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel

/// A lock of a dataset: a text that says which file each photo's address delivered.
///
/// It has a header and then a line for each photo, in the mirror's order.
public enum DatasetLock {
    /// Calls `body` with each line of the lock of the mirror in `folder`, until it returns false; returns the number of
    /// photos.
    ///
    /// Photos without an original are left out.
    public static func write(of folder: String, _ body: (String) -> Bool) throws(MirrorError) -> Int {
        let mirror = try MirrorFolder.open(reading: folder)
        guard body(LockedPhoto.header) else { return 0 }
        var count = 0
        var batches = mirror.ledger.batches()
        while let entries = try MirrorError.inLedger(batches.next()) {
            for photo in entries.compactMap(LockedPhoto.init) {
                guard body(photo.line) else { return count }
                count += 1
            }
        }
        return count
    }

    /// Whether the file at a path is a lock.
    public static func isLock(_ path: String) -> Bool {
        guard let file = try? OpenFile.reading(path, followsLink: true),
            let start = try? file.read(at: 0, count: LockedPhoto.header.utf8.count)
        else { return false }
        return start.elementsEqual(LockedPhoto.header.utf8)
    }

    /// Calls `body` with each photo of the lock at a path; invalid lines are skipped, because their items have failed.
    static func forEachPhoto(ofLock path: String, _ body: (LockedPhoto) throws(MirrorError) -> Void) throws(MirrorError)
    {
        do {
            var reader = try LineReader(try OpenFile.reading(path, followsLink: true))
            while let line = try reader.next() {
                guard line.first != UInt8(ascii: "#"), let text = String(validating: line, as: UTF8.self),
                    let photo = LockedPhoto(line: text)
                else { continue }
                try body(photo)
            }
        } catch let error as MirrorError {
            throw error
        } catch {
            throw MirrorError(.local, "cannot read the lock '\(path)': \(error)")
        }
    }
}

extension LockedPhoto {
    /// The line of a photo; `nil` if the mirror does not have its original.
    fileprivate init?(_ entry: LedgerEntry) {
        guard let receipt = entry.receipt, receipt.state == .done, !entry.item.photo.isRejected,
            let original = receipt.original, let url = receipt.url ?? entry.item.photo.variants.first?.url
        else { return nil }
        self.init(
            url: url, sha256: original.sha256, bytes: original.bytes,
            phash: receipt.phash.flatMap { UInt64($0, radix: 16) })
    }
}

/// The results of a run that mirrors a lock, except those that the ledger has.
///
/// The receipt of a photo that an earlier run has stored stays as it is if the photo has gone since.
public final class LockRun: Sendable {
    private struct State {
        var failures: TextMap<Failure> = [:]
        var kept = 0
        var others = 0
    }

    private let state = Locked(State())

    /// Knows of no results.
    public init() {}

    /// Records an event of the run.
    public func record(_ event: Event) {
        switch event {
        case .pageFailed: state.withLock { $0.others += 1 }
        case .itemEnded(_, .kept): state.withLock { $0.kept += 1 }
        case .itemEnded(let item, .failed) where item.photo.invalidReason != nil:
            state.withLock { $0.others += 1 }
        case .itemEnded(let item, .failed(let receipt)), .itemEnded(let item, .skipped(let receipt)):
            let failure = receipt.failure ?? Failure(.deferred, "")
            state.withLock { $0.failures[item.photo.id] = failure }
        default: break
        }
    }

    /// The number of photos that the run kept because the mirror had them.
    public var keptCount: Int { state.withLock(\.kept) }

    /// Whether something failed that is no photo of the lock: an invalid line, or the reading of the file.
    public var hasOtherFailures: Bool { state.withLock { $0.others > 0 } }

    /// The receipt of a photo, or that of its failure in the run; `nil` if there is none.
    func receipt(of photo: LockedPhoto, in ledger: Ledger) throws(MirrorError) -> Receipt? {
        if let failure = state.withLock({ $0.failures[photo.url] }) { return Receipt(.failed, failure: failure) }
        return try MirrorError.inLedger(ledger.receipt(of: Photo(id: photo.url), inFeed: "list"))
    }
}
