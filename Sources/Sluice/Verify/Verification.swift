// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceGallery
internal import SluiceImaging
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore

/// Verifies every original and thumbnail of a mirror against its receipt in the ledger, and the manifest and the
/// gallery against the digests that were recorded when they were written.
///
/// It reads every byte, on all cores, and writes nothing. It uses about 16 bytes of memory per file, to find files that
/// the ledger does not record.
public final class Verification: Sendable {
    /// The number of items read from the ledger at a time.
    private static let batch = 128

    /// The mirror's folder.
    public let folder: String
    /// Whether pictures are also decoded.
    public let isDeep: Bool
    /// The photos whose thumbnails are made again and compared with the stored ones; `nil` for none.
    public let sample: ThumbnailSample?
    /// The sequence numbers of the items to verify; `nil` verifies all items and also reports extra files.
    public let items: [Int]?
    private let isolation: Isolation
    private let buckets: S3Options
    private let note: @Sendable (String) -> Void
    private let token = CancellationToken()

    /// Creates a verification.
    ///
    /// No file is opened before ``run(progress:_:)``. `note` is called if decode workers lack protections. Of the given
    /// `items`, all thumbnails are compared, and not only those of a sample.
    public init(
        of folder: String, isDeep: Bool = false, comparing sample: ThumbnailSample? = nil, items: [Int]? = nil,
        isolation: Isolation = .none,
        buckets: S3Options = S3Options(),
        noting note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.folder, self.isDeep, self.sample, self.items, self.isolation) = (folder, isDeep, sample, items, isolation)
        (self.buckets, self.note) = (buckets, note)
    }

    /// Verifies the files and passes each fault to `found`: first in the order of the items, then the extra files.
    ///
    /// Calls `progress` from time to time with the result so far and the number of items. Throws only if the mirror
    /// cannot be opened, the ledger is damaged, or pictures cannot be decoded in workers as requested.
    public func run(
        progress: @Sendable (VerificationReport, _ all: Int) -> Void = { _, _ in }, _ found: (FileFault) -> Void
    ) async throws(MirrorError) -> VerificationReport {
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        try MirrorError.inLedger(mirror.ledger.checkIntegrity())
        // Workers of several kinds may lack the same protections.
        let noted = Locked<TextSet>([])
        let note = { @Sendable [note] (text: String) in
            if noted.withLock({ $0.insert(text) }) { note(text) }
        }
        let decoders = isDeep ? FileCheck.DecoderPool(isolation, noting: note) : nil
        let check = FileCheck(in: mirror.store, decoders: decoders, token: token)
        let counts = try MirrorError.inLedger(mirror.ledger.counts())
        let all = items?.count ?? counts.done + counts.skipped + counts.failed + counts.waiting
        let comparison = sample.map {
            ThumbnailComparison(in: mirror.store, state: mirror.state, $0, isolation, token: token, noting: note)
        }
        var sampler = sample.map { ThumbnailSampler(items == nil ? $0 : $0.ofAllPhotos) }
        var report = VerificationReport()
        var known: Set<Fingerprint> = []
        var batches = mirror.ledger.batches(of: items.map { .positions($0) } ?? .all, size: Self.batch)
        while !token.isCancelled, let entries = try MirrorError.inLedger(batches.next()) {
            let files = entries.flatMap(ExpectedFile.all)
            if items == nil { for expected in files { known.insert(Fingerprint(expected.file.path)) } }
            let results: [FileFault?] =
                if mirror.isInBucket {
                    await concurrentRequests(files) { check.fault(of: $0) }
                } else {
                    await concurrentMap(files) { check.fault(of: $0) }
                }
            var faults = results.compactMap(\.self)
            // Pictures that were not decoded are neither intact nor damaged.
            if let error = decoders?.startFailure { throw error }
            if let comparison {
                let faulty = Set<Int?>(faults.map(\.item))
                let taken = entries.filter { sampler?.takes($0) == true && !faulty.contains($0.item.seq) }
                let compared = await concurrentMap(taken) { comparison.result(for: $0) }
                if let error = comparison.startFailure { throw error }
                if !token.isCancelled { report.count(compared) }
                faults = FileFault.inOrder(faults, compared.flatMap(\.faults))
            }
            report.count(entries, files, faults)
            faults.forEach(found)
            progress(report, all)
        }
        try countUnfinished(in: mirror.ledger, mirror.store, &known, into: &report, found)
        if items == nil {
            for fault in try mirror.outputFaults() {
                report.faults[fault.kind, default: 0] += 1
                report.isOutputSound = false
                found(fault)
            }
            try countExtras(in: mirror.store, known, into: &report, found)
        }
        report.isStopped = token.isCancelled
        mirror.close()
        return report
    }

    /// Requests the verification to stop before the next file.
    public func stop() { token.cancel() }

    /// Finds the files that a killed command has left, and adds their names to `known`.
    private func countUnfinished(
        in ledger: Ledger, _ store: any Store, _ known: inout Set<Fingerprint>, into report: inout VerificationReport,
        _ found: (FileFault) -> Void
    ) throws(MirrorError) {
        for intention in try MirrorError.inLedger(ledger.intentions()) {
            let fault: FileFault
            switch intention {
            case .removeFile(let file, let seq):
                guard try !MirrorError.inLedger(ledger.keeps(file, of: seq)), store.size(of: file.path) != nil else {
                    continue
                }
                known.insert(Fingerprint(file.path))
                fault = FileFault(.unfinished, file.path, of: seq, "it is not removed yet")
            case .writeOutput:
                let reason = "manifest and gallery may show removed photos"
                fault = FileFault(.unfinished, ManifestWriter.names[0], reason)
            }
            report.faults[fault.kind, default: 0] += 1
            found(fault)
        }
    }

    /// The files that Sluice derives from the ledger, and the settings.
    private static let derived = TextSet(
        [GalleryWriter.frontPage, RunReport.jsonFile, RunReport.pageFile, SettingsFile.name] + ManifestWriter.names
            + [ManifestWriter.parquetName] + MirrorFolder.proofFiles)

    /// Finds files that do not belong to the mirror.
    ///
    /// Hidden files are ignored.
    private func countExtras(
        in store: any Store, _ known: Set<Fingerprint>, into report: inout VerificationReport,
        _ found: (FileFault) -> Void
    ) throws(MirrorError) {
        try MirrorError.onDisk(
            store.forEachFile { path in
                guard !token.isCancelled else { return false }
                let isDerived = Self.derived.contains(path) || path.hasPrefix("gallery/")
                guard !isDerived, !known.contains(Fingerprint(path)) else { return true }
                report.faults[.extra, default: 0] += 1
                found(FileFault(.extra, path))
                return true
            })
    }
}

extension VerificationReport {
    /// Adds the results of some items.
    fileprivate mutating func count(_ entries: [LedgerEntry], _ files: [ExpectedFile], _ faults: [FileFault]) {
        items += entries.count
        self.files += files.count
        bytes.add(files.sum(\.file.bytes))
        for fault in faults { self.faults[fault.kind, default: 0] += 1 }
        let faulty = [Int?: [FileFault]](grouping: faults.filter { $0.kind != .incomplete }, by: \.item)
        for entry in entries {
            guard let faults = faulty[entry.item.seq] else { continue }
            broken[entry.item.feed, default: BrokenItems()].add(entry, faults)
        }
    }
}

extension VerificationReport {
    fileprivate mutating func count(_ results: [ThumbnailComparison.Result]) {
        let impossible = results.count { $0 == .impossible }
        compared += results.count - impossible
        incomparable += impossible
    }
}

extension ThumbnailComparison.Result {
    fileprivate var faults: [FileFault] { if case .compared(let faults) = self { faults } else { [] } }
}

extension ThumbnailSample {
    fileprivate var ofAllPhotos: ThumbnailSample {
        var sample = self
        if share > 0 { sample.share = 1 }
        return sample
    }
}

extension FileFault {
    /// Joins two lists of faults, both in the order of the items.
    fileprivate static func inOrder(_ first: [FileFault], _ second: [FileFault]) -> [FileFault] {
        guard !second.isEmpty else { return first }
        return (first + second).sorted { ($0.item ?? 0) < ($1.item ?? 0) }
    }
}

extension BrokenItems {
    fileprivate mutating func add(_ entry: LedgerEntry, _ faults: [FileFault]) {
        items.append(entry.item.seq)
        files.formUnion(TextSet(faults.filter { $0.kind != .missing }.map(\.path)))
        sizes.formUnion(TextSet((entry.receipt?.thumbs ?? []).map(\.size)))
    }
}

/// The result of a verification.
public struct VerificationReport: Sendable, Hashable {
    /// The number of items verified.
    public internal(set) var items = 0
    /// The number of files that the items should have.
    public internal(set) var files = 0
    /// The total size that the files should have, in bytes.
    public internal(set) var bytes = 0
    /// The number of faults of each kind.
    public internal(set) var faults: [FileFault.Kind: Int] = [:]
    /// The number of photos whose thumbnails were made again and compared with the stored ones.
    public internal(set) var compared = 0
    /// The number of photos of the sample that could not be compared, because their options are unknown.
    public internal(set) var incomparable = 0
    /// The items with faults, by feed; a repair processes them.
    public internal(set) var broken: [String: BrokenItems] = [:]
    /// Whether the files of the manifest and the gallery are those that were written last.
    public internal(set) var isOutputSound = true
    /// Whether the verification was stopped early.
    public internal(set) var isStopped = false

    /// Whether all files that the ledger records, the manifest and the gallery are intact, and no killed command has
    /// left work.
    ///
    /// Extra files and those that are recorded as incomplete do not count.
    public var isSound: Bool { broken.isEmpty && faults[.unfinished] == nil && isOutputSound && !isStopped }
}

extension PhotoMirror {
    /// Describes a run that repairs files of a mirror with one source.
    public convenience init(
        of source: String, into folder: String, options: MirrorOptions, repairing items: BrokenItems
    ) {
        self.init(of: [source], into: folder, options: options, repairing: items)
    }

    /// Describes a run that repairs the files that a verification found damaged or missing, in all existing sizes.
    ///
    /// It does not read the feed and uses the URLs in the ledger. Items that cannot be repaired stay as they are.
    public convenience init(
        of sources: [String], into folder: String, options: MirrorOptions, repairing items: BrokenItems
    ) {
        var changed = options
        changed.reset(.notRepair)
        changed.thumbnails.sizes = items.sizes.sorted().compactMap(ThumbnailSize.init)
        let options = changed
        self.init(of: sources, into: folder, options: options) { context throws(MirrorError) in
            let session = try FeedSession(sources, options: options, in: context)
            var run = try RunDefinition(
                of: sources, session, into: folder, options: options, in: context,
                intake: LedgerIntake(.broken(items), maxItems: session.retriedItems))
            run.requiresMirror = true
            run.broken = items.files
            return run
        }
    }
}
