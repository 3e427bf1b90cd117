// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel
internal import SluiceStore

/// The folder that an export writes to.
///
/// Until the export is complete, a hidden file in it records the finished shards, so that the next export can keep
/// them.
struct ExportFolder {
    /// A finished shard, as recorded.
    struct Shard: Hashable {
        let samples: Int
        let bytes: Int
        let fingerprint: String
    }

    private static let record = ".sluice-export.json"
    private static let sizeLimit = 1 << 28
    private static let suffix = ".tar"

    let store: any Store
    /// The finished shards, in order.
    private(set) var shards: [Shard] = []
    /// Identifies the mirror and the options.
    private let identity: String

    /// Opens the folder, or creates it.
    ///
    /// It must be empty or contain an unfinished export of the same mirror with the same options, because shards of
    /// another export would look like part of this one.
    init(_ path: String, source: Folder, options: DatasetOptions) throws(MirrorError) {
        guard !S3Location.isLocation(path) else { throw Self.refused(path, "only mirror and thumbs support buckets") }
        store = LocalStore(try MirrorError.onDisk(Folder(path, create: true)))
        var fingerprint = Fingerprint()
        fingerprint.add(try MirrorError.onDisk(source.resolvedPath()))
        fingerprint.add(options.size)
        fingerprint.add(options.samplesPerShard)
        fingerprint.add(options.bytesPerShard)
        identity = fingerprint.text
        let names = try MirrorError.onDisk(store.names(in: ""))
        guard names.contains(Self.record) else {
            // A killed export leaves the unfinished record.
            guard names.allSatisfy({ $0 == Self.record + NewFile.suffix }) else {
                throw Self.refused(path, "it is not empty")
            }
            return
        }
        let bytes = try MirrorError.onDisk(store.read(Self.record, limit: Self.sizeLimit))
        guard let record = try? JSON(parsing: bytes), record["export"]?.text == identity else {
            throw Self.refused(path, "it has an unfinished export of another mirror or with other options")
        }
        // Another version may write other bytes.
        guard record["version"]?.text == Version.number else { return }
        shards = (record["shards"]?.elements ?? []).compactMap(Shard.init)
    }

    private static func refused(_ path: String, _ reason: String) -> MirrorError {
        MirrorError(.usage, "cannot export to '\(path)': \(reason)", hint: .chooseEmptyFolder)
    }

    /// The file name of a shard, such as `00012.tar`.
    static func name(ofShard number: Int) -> String { String(number).zeroPadded(to: 5) + suffix }

    /// Whether a finished shard with this number has exactly this content.
    func has(_ content: ShardContent, asShard number: Int) -> Bool {
        shards.indices.contains(number) && shards[number] == Shard(content)
            && store.size(of: Self.name(ofShard: number)) == TarShard.size(of: content)
    }

    /// Keeps the first `count` finished shards, and removes all other files of an interrupted export.
    mutating func keep(_ count: Int) throws(FileError) {
        shards.removeLast(shards.count - count)
        try save()
        let extra = try store.names(in: "").filter { name in
            let shard = name.hasSuffix(NewFile.suffix) ? String(name.dropLast(NewFile.suffix.count)) : name
            guard let number = Self.number(ofShard: shard) else { return false }
            return shard != name || number >= count
        }
        try store.remove(extra, durability: .none)
    }

    /// Records a shard that is finished.
    mutating func add(_ content: ShardContent) throws(FileError) {
        shards.append(Shard(content))
        try save()
    }

    /// Ends the export: the folder then contains only shards.
    func complete() throws(FileError) {
        try store.remove([Self.record], durability: .each)
    }

    private static func number(ofShard name: String) -> Int? {
        guard name.hasSuffix(suffix), let number = Int(name.dropLast(suffix.count)), number >= 0 else { return nil }
        return Self.name(ofShard: number) == name ? number : nil
    }

    private func save() throws(FileError) {
        var writer = JSONWriter()
        writer.object { object in
            object.member("schema", 1)
            object.member("version", Version.number)
            object.member("export", identity)
            object.member(
                "shards",
                array: { array in
                    for shard in shards {
                        array.object { object in
                            object.member("samples", shard.samples)
                            object.member("bytes", shard.bytes)
                            object.member("fingerprint", shard.fingerprint)
                        }
                    }
                })
        }
        writer.newline()
        try store.write(writer.bytes, to: Self.record, temporary: Self.record, durability: .each)
    }
}

extension ExportFolder.Shard {
    fileprivate init(_ content: ShardContent) {
        self.init(samples: content.samples, bytes: content.bytes, fingerprint: content.fingerprint.text)
    }

    fileprivate init?(_ record: JSON) {
        guard let samples = record["samples"]?.integer, let bytes = record["bytes"]?.integer,
            let fingerprint = record["fingerprint"]?.text
        else { return nil }
        self.init(samples: samples, bytes: bytes, fingerprint: fingerprint)
    }
}
