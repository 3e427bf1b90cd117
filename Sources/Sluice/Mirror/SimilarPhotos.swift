// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// Removes new photos that are copies of others at the end of a run, so that no later run downloads them.
///
/// They are the copies that ``DuplicateSearch`` finds. Photos of earlier runs stay; among new ones the best stays. So
/// the result does not depend on the order in which downloads end.
struct SimilarPhotos: RunStep {
    /// The file with the number of the first run whose photos have not been compared.
    ///
    /// It remains after a run that was killed or stopped.
    private static let record = "\(MirrorFolder.marker)/similar"

    let options: MirrorOptions

    func begin(_ driver: RunDriver, in mirror: borrowing MirrorFolder) throws(MirrorError) {
        let folder = mirror.state
        guard folder.size(of: Self.record) == nil else { return }
        try MirrorError.onDisk(
            folder.write(Array("\(driver.run.id)\n".utf8), to: Self.record, temporary: Self.record + ".new"))
    }

    func finish(_ driver: RunDriver) throws(MirrorError) {
        guard !driver.intakeToken.isCancelled else { return }
        let folder = driver.pipeline.state
        let text = String(decoding: (try? folder.read(Self.record)) ?? [], as: UTF8.self)
        let last = driver.run.id
        let first = min(Int(text.filter(\.isNumber))?.within(Quantity.range) ?? last, last)
        let new = try MirrorError.inLedger(driver.ledger.photosDone(sinceRun: first))
        if !new.isEmpty {
            let report = try search(for: new, in: driver)
            guard !report.isStopped else { return }
            try drop(report.groups, in: driver)
        }
        try MirrorError.onDisk(folder.remove(Self.record))
    }

    private func search(for new: Set<Int>, in driver: RunDriver) throws(MirrorError) -> DuplicateReport {
        var wanted = DuplicateOptions()
        (wanted.isolation, wanted.memory) = (options.isolation, options.memory)
        let search = DuplicateSearch(in: "", options: wanted)
        let handler = driver.intakeToken.onCancel { _ in search.stop() }
        defer { withExtendedLifetime(handler) {} }
        return try search.run(
            in: driver.ledger, driver.committer.store, reference: { !new.contains($0.item.seq) })
    }

    private func drop(_ groups: [DuplicateGroup], in driver: RunDriver) throws(MirrorError) {
        let store = driver.committer.store
        var dropped: [(entry: LedgerEntry, failure: Failure)] = []
        for group in groups {
            let kept = group.members[0]
            let file = StoredFile(path: kept.path, bytes: kept.bytes, sha256: kept.sha256)
            guard try MirrorError.onDisk(store.contains(file)) else { continue }
            for copy in group.droppable {
                guard let entry = try MirrorError.inLedger(driver.ledger.entry(at: copy.item)), entry.receipt != nil
                else { continue }
                dropped.append((entry, Failure(.duplicate, "a copy of \(kept.item)")))
            }
        }
        try driver.ledger.drop(dropped, from: store)
        driver.recordRemoval(of: dropped.map(\.entry.item.seq), because: .duplicate)
        let count = dropped.count
        guard count > 0 else { return }
        driver.record(
            .note("skipped \(count) new \(count == 1 ? "photo" : "photos") as copies of others in the mirror"))
    }
}
