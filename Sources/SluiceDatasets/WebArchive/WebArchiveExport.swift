// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore

/// Packages the WARC that runs of a mirror wrote as one WACZ file, which replay programs open without an import.
///
/// The file has the WARC's files, their index, and the mirror's photos as its pages. The same mirror and the same WARC
/// give the same bytes. A run may add records at the same time; the file then has those from before.
public final class WebArchiveExport: Sendable {
    /// The mirror's folder.
    public let folder: String
    /// The name of the WARC, as the runs were given it: `photos.warc.gz`.
    public let archive: String
    /// The file to write, or the object of a bucket, whose name ends with `.wacz`.
    public let output: String
    private let buckets: S3Options
    private let isDryRun: Bool
    private let token = CancellationToken()

    /// The number of bytes that are copied at a time.
    private static let chunkSize = 1 << 20

    /// Makes an export.
    ///
    /// No file is opened or created before ``run(progress:)``.
    public init(
        of folder: String, archive: String, into output: String, buckets: S3Options = S3Options(),
        isDryRun: Bool = false
    ) {
        (self.folder, self.archive, self.output) = (folder, archive, output)
        (self.buckets, self.isDryRun) = (buckets, isDryRun)
    }

    /// Requests the export to stop, without a file.
    public func stop() { token.cancel() }

    /// Writes the file; calls `progress` from time to time.
    public func run(
        progress: (WebArchiveReport) -> Void = { _ in }
    ) throws(MirrorError) -> WebArchiveReport {
        guard let name = ArchiveName(archive) else {
            throw MirrorError(
                .usage, "cannot read the WARC '\(archive)': its name ends neither with .warc.gz nor with .warc")
        }
        let (parent, file) = try target()
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        let destination = try Destination(parent, buckets, isBesideMirror: mirror.isInBucket, isDryRun: isDryRun)
        do {
            let source = try Folder(name.folder)
            guard source.size(of: name.state) != nil else {
                throw MirrorError(
                    .usage, "cannot read the WARC '\(archive)': \(source.fullPath(of: name.state)) does not exist",
                    hint: .nameArchive)
            }
            let snapshot = try ArchiveSnapshot(name.state, in: source)
            var package = WebArchivePackage(try destination.store.create(file))
            var report = WebArchiveReport()
            for (number, length) in try snapshot.files() {
                try package.add("archive/\(name.file(number))") { write in
                    try copy(name.file(number), length, name.isCompressed, in: source, to: write) {
                        report.bytes += $0
                        progress(report)
                    }
                }
                report.files += 1
            }
            guard !token.isCancelled else { return report.stopped }
            try addIndex(of: snapshot, to: &package, &report)
            try package.add("pages/pages.jsonl") { write in
                try writePages(of: mirror.ledger, in: snapshot, to: write, &report)
            }
            guard !token.isCancelled else { return report.stopped }
            report.bytes = package.bytes
            let complete = try package.finish(
                title: mirror.title, created: try snapshot.lastDate() ?? WebArchiveReport.oldestDate,
                software: "Sluice/\(Version.number)")
            try destination.store.commitAll([complete.stage(flushed: destination.isLocal)], durability: .each)
            return report
        } catch {
            throw MirrorError(converting: error)
        }
    }

    private func target() throws(MirrorError) -> (folder: String, name: String) {
        guard output.hasSuffix(".wacz") else {
            throw MirrorError(.usage, "cannot write '\(output)': name a file that ends with .wacz")
        }
        guard !S3Location.isLocation(output) || S3Location(output)?.prefix.isEmpty == false else {
            throw MirrorError(.usage, "cannot write '\(output)': expected s3://BUCKET/NAME.wacz")
        }
        return Folder.place(of: output)
    }

    /// Copies the complete records of a file; throws if one is damaged.
    private func copy(
        _ name: String, _ length: Int, _ isCompressed: Bool, in folder: Folder,
        to write: ([UInt8]) throws(FileError) -> Void, _ progress: (Int) -> Void
    ) throws {
        let file = try folder.openForReading(name)
        var check = ArchiveCheck(of: file.path, isCompressed: isCompressed)
        var offset = 0
        while offset < length, !token.isCancelled {
            let bytes = try file.read(at: offset, count: min(Self.chunkSize, length - offset))
            guard !bytes.isEmpty else {
                throw MirrorError(.damaged, "cannot read the WARC '\(file.path)': its last records are missing")
            }
            try check.add(bytes)
            try write(bytes)
            offset += bytes.count
            progress(bytes.count)
        }
        if !token.isCancelled { try check.finish() }
    }

    private func addIndex(
        of snapshot: ArchiveSnapshot, to package: inout WebArchivePackage, _ report: inout WebArchiveReport
    ) throws {
        var index = CompressedIndex()
        try package.add("indexes/\(CompressedIndex.name)") { write in
            var failure: FileError?
            try snapshot.forEachLine { line in
                let block = index.add(line)
                report.records += 1
                guard failure == nil, !block.isEmpty else { return }
                do throws(FileError) { try write(block) } catch { failure = error }
            }
            if let failure { throw failure }
            try write(index.finish())
        }
        try package.add("indexes/\(CompressedIndex.listName)") { write in try write(index.list) }
    }

    /// Writes the list of the photos that the archive has.
    private func writePages(
        of ledger: Ledger, in snapshot: ArchiveSnapshot, to write: ([UInt8]) throws(FileError) -> Void,
        _ report: inout WebArchiveReport
    ) throws {
        var lines = JSONWriter()
        lines.object { json in
            json.member("format", "json-pages-1.0")
            json.member("id", "pages")
            json.member("title", "Photos")
        }
        lines.newline()
        var batches = ledger.batches()
        while !token.isCancelled, let entries = try batches.next() {
            for entry in entries {
                guard let receipt = entry.receipt, receipt.state == .done, !entry.item.photo.isRejected,
                    let original = receipt.original, let url = receipt.finalURL ?? receipt.url
                else { continue }
                guard let date = try snapshot.date(of: url, sha256: original.sha256) else {
                    report.missing += 1
                    continue
                }
                lines.object { json in
                    json.member("id", "\(entry.item.seq)")
                    json.member("url", url)
                    json.member("ts", date)
                    json.member("title", entry.item.photo.curated.caption)
                }
                lines.newline()
                report.pages += 1
            }
            try write(lines.bytes)
            lines.removeAll()
        }
        try write(lines.bytes)
    }
}

/// The folder, or the location in a bucket, that gets the file.
///
/// A file for a bucket is made in a local folder and uploaded when it is complete.
private struct Destination: ~Copyable {
    let store: any Store
    /// Keeps the local folder for this process; `nil` if the file is made where it stays.
    private let lock: FolderLock?

    var isLocal: Bool { lock == nil }

    init(_ path: String, _ buckets: S3Options, isBesideMirror: Bool, isDryRun: Bool) throws(MirrorError) {
        var buckets = buckets
        // The chosen folder is then that of the mirror.
        if isBesideMirror { buckets.stateFolder = nil }
        guard let bucket = try BucketMirror(path, buckets) else {
            // A single file may be written to a folder of another user, such as that for temporary files.
            if isDryRun {
                store = try MirrorError.onDisk(DryStore(ofOutput: path, isShared: true))
                lock = nil
                return
            }
            let folder =
                if let existing = try? Folder(path) { existing } else {
                    try MirrorError.onDisk(Folder(path, create: true))
                }
            store = LocalStore(folder)
            lock = nil
            return
        }
        let (store, folder) = try bucket.openShared()
        let lock: FolderLock? = try MirrorFolder.lock(folder)
        self.store = isDryRun ? DryStore(store) : store
        self.lock = lock
    }
}

/// The result of packaging a web archive.
public struct WebArchiveReport: Sendable, Hashable {
    /// The date of a package without records.
    static let oldestDate = "1980-01-01T00:00:00Z"

    /// The number of WARC files.
    public internal(set) var files = 0
    /// The number of responses in the index.
    public internal(set) var records = 0
    /// The number of photos in the list of pages.
    public internal(set) var pages = 0
    /// The number of photos of the mirror that the WARC does not have.
    public internal(set) var missing = 0
    /// The size of the packaged files in bytes.
    public internal(set) var bytes = 0
    /// Whether the export was stopped, so that there is no file.
    public internal(set) var isStopped = false

    fileprivate var stopped: WebArchiveReport {
        var report = self
        report.isStopped = true
        return report
    }
}
