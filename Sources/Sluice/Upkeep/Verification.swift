// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel

/// Holds a mirror's files against its ledger: every original and every thumbnail against its receipt.
///
/// It reads every byte, on all cores, and writes nothing. Memory grows with the number of files by some 16 bytes each, to
/// tell which ones the ledger does not know.
public final class Verification: Sendable {
    /// How many items are read from the ledger at a time.
    private static let step = 128

    /// The mirror's folder.
    public let folder: String
    /// Whether pictures are decoded, too.
    public let isDeep: Bool
    /// The items to look at, by their places; `nil` for all, and then for files that belong to none, too.
    public let items: [Int]?
    private let isolation: Isolation
    private let note: @Sendable (String) -> Void
    private let token = Token()

    /// Describes a verification; nothing is opened before ``run(progress:_:)``.
    ///
    /// `note` is told if pictures cannot be decoded where they are to be.
    public init(
        of folder: String, isDeep: Bool = false, items: [Int]? = nil, isolation: Isolation = .none,
        noting note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.folder = folder
        self.isDeep = isDeep
        self.items = items
        self.isolation = isolation
        self.note = note
    }

    /// Looks at everything; each fault reaches `found`, in the order of the items, and those of no item at the end.
    ///
    /// `progress` hears now and then what was looked at so far, and how many items there are. It throws only if the
    /// mirror cannot be opened, or if the ledger itself is damaged.
    public func run(
        progress: @Sendable (VerificationReport, _ all: Int) -> Void = { _, _ in }, _ found: (FileFault) -> Void
    ) async throws(MirrorError) -> VerificationReport {
        let place = try MirrorFolder.open(reading: folder)
        try MirrorError.inLedger(place.ledger.checkIntegrity())
        let decoders = isDeep ? FileCheck.Decoders(isolation, noting: note) : nil
        let check = FileCheck(in: place.folder, decoders: decoders, token: token)
        let counts = try MirrorError.inLedger(place.ledger.counts())
        let all = items?.count ?? counts.done + counts.skipped + counts.failed + counts.waiting
        var report = VerificationReport()
        var known: Set<Fingerprint> = []
        var last: Int?
        while !token.isCancelled {
            let entries = try MirrorError.inLedger(entries(after: last, in: place.ledger))
            guard let end = entries.last else { break }
            last = end.item.seq
            let files = entries.flatMap(ExpectedFile.all)
            if items == nil { for expected in files { known.insert(Fingerprint(expected.file.path)) } }
            let faults = await inParallel(files) { check.fault(of: $0) }.compactMap(\.self)
            report.count(entries, files, faults)
            faults.forEach(found)
            progress(report, all)
        }
        if items == nil { countExtras(known, into: &report, found) }
        report.isStopped = token.isCancelled
        place.close()
        return report
    }

    /// Asks it to stop: what is being read is given up at its next file.
    public func stop() { token.cancel() }

    /// The next items to look at.
    private func entries(after last: Int?, in ledger: Ledger) throws(LedgerError) -> [Entry] {
        guard let items else { return try ledger.entries(after: last ?? 0, limit: Self.step) }
        var entries: [Entry] = []
        for seq in items.drop(while: { last != nil && $0 <= last ?? 0 }).prefix(Self.step) {
            if let entry = try ledger.entry(at: seq) { entries.append(entry) }
        }
        return entries
    }

    private func countExtras(
        _ known: Set<Fingerprint>, into report: inout VerificationReport, _ found: (FileFault) -> Void
    ) {
        var extras = ExtraFiles(in: folder, known: known)
        while !token.isCancelled, let extra = extras.next() {
            report.faults[.extra, default: 0] += 1
            found(extra)
        }
    }
}

extension VerificationReport {
    /// Counts what was found out about some items.
    fileprivate mutating func count(_ entries: [Entry], _ files: [ExpectedFile], _ faults: [FileFault]) {
        items += entries.count
        self.files += files.count
        bytes += files.reduce(0) { $0 + $1.file.bytes }
        for fault in faults { self.faults[fault.kind, default: 0] += 1 }
        let faulty = Dictionary(grouping: faults, by: \.item)
        for entry in entries {
            guard let faults = faulty[entry.item.seq] else { continue }
            broken[entry.item.feed, default: BrokenItems()].add(entry, faults)
        }
    }
}

extension BrokenItems {
    fileprivate mutating func add(_ entry: Entry, _ faults: [FileFault]) {
        items.append(entry.item.seq)
        files.formUnion(faults.filter { $0.kind != .missing }.map(\.path))
        sizes.formUnion((entry.receipt?.thumbs ?? []).map(\.size))
    }
}
