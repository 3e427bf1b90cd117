// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel
internal import SluiceStore

/// The folder that an export writes to, or the location in a bucket.
///
/// A hidden file in it records the finished shards. With it, the next export continues an interrupted export, and
/// writes only the changed shards of a complete one.
struct ExportFolder {
    /// A finished shard, as recorded.
    struct Shard: Hashable {
        let rows: Int
        let samples: Int
        /// The size of the pictures and the files that belong to them.
        let bytes: Int
        /// The size of the shard's main file.
        let size: Int
        let files: Int
        let fingerprint: String
    }

    private static let record = ".sluice-export.json"
    private static let sizeLimit = 1 << 28
    /// The ends of the names of a shard's files; a folder has none.
    private static let suffixes = [".tar", ".parquet", "_stats.json", ""]

    let store: any Store
    /// `nil` in a bucket, where folders need not be made.
    private let folder: Folder?
    /// Keeps a location in a bucket for this export.
    private let bucket: BucketFiles?
    /// The finished shards, in order.
    private(set) var shards: [Shard] = []
    /// Identifies the mirror and the options.
    private let identity: String
    private let rules: LayoutRules
    /// The folders of the splits; `""` is the export's folder.
    private let splits: [String]

    /// Opens the folder, or creates it.
    ///
    /// It must be empty or contain an export of the same mirror with the same options, because shards of another export
    /// would look like part of this one.
    ///
    /// In a dry run, nothing is created or written.
    init(
        _ path: String, source: String, options: DatasetOptions, buckets: S3Options, isDryRun: Bool
    ) throws(MirrorError) {
        bucket = isDryRun ? nil : try BucketFiles.open(path, buckets)
        if let bucket {
            (folder, store) = (nil, bucket.store)
        } else if isDryRun {
            folder = nil
            if let bucket = try BucketMirror(path, buckets) {
                store = try bucket.openForDryRun()
            } else {
                store = try MirrorError.onDisk(DryStore(ofOutput: path))
            }
        } else {
            let local = try MirrorError.onDisk(Folder(path, create: true))
            (folder, store) = (local, LocalStore(local))
        }
        rules = options.layout.rules
        splits = options.splits.isEmpty ? [""] : options.splits.map { $0.name + "/" }
        identity = options.fingerprint(ofMirror: source)
        let isInBucket = S3Location.isLocation(path)
        let names = try MirrorError.onDisk(store.names(in: ""))
            .filter { !isInBucket || $0 != LocalStore.stateFolder }
        guard names.contains(Self.record) else {
            // A killed export leaves the unfinished record.
            guard names.allSatisfy({ $0 == Self.record + NewFile.suffix }) else {
                throw Self.refused(path, "it is not empty")
            }
            return
        }
        let bytes = try MirrorError.onDisk(store.read(Self.record, limit: Self.sizeLimit))
        guard let record = try? JSON(parsing: bytes), record["export"]?.text == identity else {
            throw Self.refused(path, "it has an export of another mirror or with other options")
        }
        // Another version may write other bytes.
        guard record["version"]?.text == Version.number else { return }
        shards = (record["shards"]?.elements ?? []).compactMap(Shard.init)
    }

    private static func refused(_ path: String, _ reason: String) -> MirrorError {
        MirrorError(.usage, "cannot export to '\(path)': \(reason)", hint: .chooseEmptyFolder)
    }

    /// The name of a shard without the end, such as `00012` or `train/00012`.
    func name(of content: ShardContent) -> String { splits[content.split] + Self.name(ofShard: content.number) }

    private static func name(ofShard number: Int) -> String { String(number).zeroPadded(to: 5) }

    /// The recorded shard at an index, if it has exactly this content and its files are complete.
    func shard(_ index: Int, with content: ShardContent) -> Shard? {
        guard shards.indices.contains(index), shards[index].hasContent(content),
            store.size(of: name(of: content) + rules.mainFile) == shards[index].size,
            fileCount(of: name(of: content)) == shards[index].files
        else { return nil }
        return shards[index]
    }

    /// The number of files of a shard.
    private func fileCount(of name: String) -> Int? {
        if rules.container == .folder { return try? store.names(in: name).count }
        return Self.suffixes.count { store.size(of: name + $0) != nil }
    }

    /// Keeps the first `count` finished shards, and removes all other files of an interrupted export; `next` is the
    /// first shard that is not kept.
    mutating func keep(_ count: Int, before next: ShardContent) throws(FileError) {
        shards.removeLast(shards.count - count)
        try save()
        for (split, prefix) in splits.enumerated() {
            for entry in try entries(of: prefix) {
                guard let (number, isUnfinished) = Self.number(ofFile: entry.name),
                    isUnfinished || (split, number) >= (next.split, next.number)
                else { continue }
                try remove(entry, in: prefix)
            }
        }
    }

    /// The entries of a split's folder; none if it does not exist.
    private func entries(of prefix: String) throws(FileError) -> [FolderEntry] {
        do throws(FileError) { return try store.list(String(prefix.dropLast())) } catch {
            guard error.isMissing else { throw error }
            return []
        }
    }

    private func remove(_ entry: FolderEntry, in prefix: String) throws(FileError) {
        let name = prefix + entry.name
        guard entry.stamp == nil else { return try store.remove(name) }
        guard let folder else {
            return try store.remove(store.names(in: name).map { "\(name)/\($0)" }, durability: .none)
        }
        try folder.removeTree(name)
    }

    /// Makes the folder of a file, if folders must be made.
    func makeParent(of name: String) throws(FileError) { try folder?.makeParent(of: name) }

    /// Flushes the files of a shard and gives them their names; returns the size of the main file.
    func commit(_ files: [StagedFile], of content: ShardContent) throws(FileError) -> Int {
        // The many files of a folder are flushed together.
        let flushesAll = rules.container == .folder
        if !flushesAll { try flushEach(files) }
        try store.commitAll(files, durability: flushesAll ? .batch : .each)
        return store.size(of: name(of: content) + rules.mainFile) ?? 0
    }

    /// Flushes each file; discards all of them if that fails, as the store does.
    private func flushEach(_ files: [StagedFile]) throws(FileError) {
        do throws(FileError) { try folder?.flushEach(files) } catch {
            for file in files { store.discard(file) }
            throw error
        }
    }

    /// Records a shard that is finished.
    mutating func add(_ shard: Shard) throws(FileError) {
        shards.append(shard)
        try save()
    }

    /// Writes a file beside the shards.
    func add(_ text: String, as name: String) throws(FileError) {
        try store.write(Array(text.utf8), to: name, temporary: name, durability: .each)
    }

    /// The number of the shard that a file or folder belongs to, and whether it is unfinished; `nil` for other names.
    private static func number(ofFile name: String) -> (number: Int, isUnfinished: Bool)? {
        let isUnfinished = name.hasSuffix(NewFile.suffix)
        let final = isUnfinished ? String(name.dropLast(NewFile.suffix.count)) : name
        for suffix in suffixes where final.hasSuffix(suffix) {
            let digits = final.dropLast(suffix.count)
            guard let number = Int(digits)?.within(Quantity.range), Self.name(ofShard: number) == digits else {
                continue
            }
            return (number, isUnfinished)
        }
        return nil
    }

    private func save() throws(FileError) {
        var writer = JSONWriter()
        writer.object { object in
            object.member("schema", 1)
            object.member("version", Version.number)
            object.member("export", identity)
            object.array("shards") { array in
                for shard in shards { shard.write(to: &array) }
            }
        }
        writer.newline()
        try store.write(writer.bytes, to: Self.record, temporary: Self.record, durability: .each)
    }
}

extension ExportFolder.Shard {
    init(_ content: ShardContent, samples: Int, bytes: Int, size: Int, files: Int) {
        self.init(
            rows: content.rows, samples: samples, bytes: bytes, size: size, files: files,
            fingerprint: content.fingerprint.text)
    }

    fileprivate init?(_ record: JSON) {
        guard let rows = record["rows"]?.quantity, let samples = record["samples"]?.quantity,
            let bytes = record["bytes"]?.quantity, let size = record["size"]?.quantity,
            let files = record["files"]?.quantity, let fingerprint = record["fingerprint"]?.text
        else { return nil }
        self.init(rows: rows, samples: samples, bytes: bytes, size: size, files: files, fingerprint: fingerprint)
    }

    fileprivate func hasContent(_ content: ShardContent) -> Bool {
        rows == content.rows && fingerprint == content.fingerprint.text
    }

    fileprivate func write(to array: inout JSONWriter) {
        array.object { object in
            object.member("rows", rows)
            object.member("samples", samples)
            object.member("bytes", bytes)
            object.member("size", size)
            object.member("files", files)
            object.member("fingerprint", fingerprint)
        }
    }
}

extension DatasetOptions {
    /// Identifies a mirror together with the options.
    fileprivate func fingerprint(ofMirror path: String) -> String {
        var fingerprint = Fingerprint()
        fingerprint.add(path)
        fingerprint.add(size)
        fingerprint.add(samplesPerShard)
        fingerprint.add(bytesPerShard)
        fingerprint.add(layout.rawValue)
        fingerprint.add(recodedFormat?.name)
        fingerprint.add(filter?.text)
        fingerprint.add(captions?.rawValue)
        if respected != .ai { fingerprint.add(respected.rawValue) }
        if !blocklist.isEmpty { fingerprint.add(blocklist.fingerprint) }
        if isUnique { fingerprint.add("unique") }
        for kind in embedded.map(\.rawValue).sorted() { fingerprint.add("embed \(kind)") }
        fingerprint.add(exif?.rawValue)
        fingerprint.add(clusterDistance)
        fingerprint.add(shuffleSeed)
        if let stratum { fingerprint.add("stratify \(stratum.name)") }
        for split in splits {
            fingerprint.add(split.name)
            fingerprint.add(split.weight)
        }
        return fingerprint.text
    }
}
