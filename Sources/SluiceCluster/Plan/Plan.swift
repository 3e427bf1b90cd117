// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
public import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// A source split into shards for many machines: its photos, numbered and named, and the options of the mirror.
///
/// The plan is the file `plan.json` in its folder; the rows of shard 7 are in `shards/00007.jsonl.zst`, and its receipt
/// will be `receipts/00007.json`. A plan never changes.
public struct Plan: Sendable, Hashable {
    /// One part of a plan.
    public struct Shard: Sendable, Hashable {
        /// The number of photos.
        public internal(set) var rows = 0
        /// The number of hosts.
        public internal(set) var hosts = 0
        /// The SHA-256 of the rows before compression.
        var sha256 = ""
        /// The hosts that several shards share, with the number of these shards.
        var shares: [String: Int] = [:]
    }

    /// The SOURCE argument, without credentials.
    public internal(set) var source: String
    /// The feed's name in the manifest.
    var feed: String
    /// Whether the source is a list, which the workers do not need.
    var isList: Bool
    /// Changes when the same SOURCE argument refers to different pages, for example after a recipe was edited.
    var feedFingerprint: String
    /// The `mirror` command with its options, which every shard uses.
    package internal(set) var command: [String]
    /// Identifies the options that determine which files are made.
    var options: String
    /// The number of photos.
    public internal(set) var rows: Int
    /// The SHA-256 of all rows in the source's order.
    var sourceSHA256: String
    /// The shards.
    public internal(set) var shards: [Shard]
    /// The columns of the source's lists besides the photos' facts, so that all pieces of a dataset have the same.
    var columns: [ListedColumn] = []
    /// The `id` of the plan whose leftovers these are; `nil` for a plan of a source.
    var leftoversOf: String?
    /// The `id` of the plan whose photos come before these; `nil` for the first plan of a mirror.
    var appendedTo: String?
}

// MARK: Files

extension Plan {
    static let name = "plan.json"
    /// The folder of the receipts in the plan's folder.
    static let receipts = "receipts"
    /// The largest `plan.json` to read: a million shards.
    private static let maximumSize = 256 << 20

    /// Identifies the plan in receipts and certificates: the SHA-256 of `plan.json`.
    public var id: String { SHA256.digest(of: json) }

    /// Returns the name of a shard's rows in the plan's folder.
    static func rowsName(of shard: Int) -> String { "shards/\(digits(shard)).jsonl.zst" }

    /// Returns the name of a shard's receipt in the plan's folder.
    static func receiptName(of shard: Int) -> String { "\(receipts)/\(digits(shard)).json" }

    /// Returns a shard's number with at least five digits.
    static func digits(_ shard: Int) -> String { String(shard).zeroPadded(to: 5) }

    /// Reads the plan in a folder or in a bucket.
    public init(reading folder: String, buckets: S3Options = S3Options()) throws(MirrorError) {
        try self.init(in: try Self.store(folder, buckets))
    }

    init(in store: any Store) throws(MirrorError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try store.read(Self.name, limit: Self.maximumSize)
        } catch {
            guard error.isMissing else { throw MirrorError(error) }
            throw MirrorError(.usage, "cannot open plan '\(store.location)': it has no \(Self.name)")
        }
        guard let json = try? JSON(parsing: bytes), let plan = Plan(json) else {
            throw MirrorError(
                .usage, "cannot open plan '\(store.location)': \(Self.name) is not a plan of this version")
        }
        guard plan.json == bytes else {
            throw MirrorError(.usage, "cannot open plan '\(store.location)': \(Self.name) was changed")
        }
        self = plan
    }

    /// Opens the folder of a plan.
    static func store(_ path: String, _ buckets: S3Options) throws(MirrorError) -> any Store {
        if let bucket = try BucketMirror(path, buckets) { return try bucket.openShared().store }
        do throws(FileError) { return LocalStore(try Folder(path)) } catch {
            let isUsageError = error.isMissing || error.isNotAFolder
            throw MirrorError(isUsageError ? .usage : .local, "cannot open plan '\(path)': \(error.reason)")
        }
    }

    /// The content of `plan.json`.
    ///
    /// It has no time and no machine, so the same source and options give the same bytes.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { plan in
            plan.member("schema", 1)
            plan.member("leftovers_of", leftoversOf)
            plan.member("appended_to", appendedTo)
            plan.member("source", source)
            plan.member("feed", feed)
            plan.member("list", isList)
            plan.member("feed_fingerprint", feedFingerprint)
            plan.array("command") { list in for word in command { list.value(word) } }
            plan.member("options", options)
            plan.member("rows", rows)
            plan.member("source_sha256", sourceSHA256)
            if !columns.isEmpty {
                plan.array("columns") { list in for column in columns { list.object { column.write(to: &$0) } } }
            }
            plan.array("shards") { list in for shard in shards { list.object { shard.write(to: &$0) } } }
        }
        writer.newline()
        return writer.bytes
    }

    init?(_ json: JSON) {
        guard json["schema"]?.integer == 1, let source = json["source"]?.text, let feed = json["feed"]?.text,
            case .bool(let isList)? = json["list"], let command = json["command"]?.elements,
            let options = json["options"]?.text, let rows = json["rows"]?.quantity,
            let sha256 = json["source_sha256"]?.text, let shards = json["shards"]?.elements
        else { return nil }
        self.init(
            source: source, feed: feed, isList: isList, feedFingerprint: json["feed_fingerprint"]?.text ?? "",
            command: command.compactMap(\.text), options: options, rows: rows, sourceSHA256: sha256,
            shards: shards.compactMap(Shard.init),
            columns: (json["columns"]?.elements ?? []).compactMap(ListedColumn.init),
            leftoversOf: json["leftovers_of"]?.text,
            appendedTo: json["appended_to"]?.text)
        guard self.shards.count == shards.count, self.shards.sum(\.rows) == rows else { return nil }
    }
}

extension Plan.Shard {
    fileprivate func write(to shard: inout JSONWriter) {
        shard.member("rows", rows)
        shard.member("hosts", hosts)
        shard.member("sha256", sha256)
        guard !shares.isEmpty else { return }
        shard.array("shares") { list in
            for (host, count) in shares.sorted(by: { $0.key < $1.key }) {
                list.object { share in
                    share.member("host", host)
                    share.member("shards", count)
                }
            }
        }
    }

    fileprivate init?(_ json: JSON) {
        guard let rows = json["rows"]?.quantity, let hosts = json["hosts"]?.quantity, let sha256 = json["sha256"]?.text
        else { return nil }
        (self.rows, self.hosts, self.sha256) = (rows, hosts, sha256)
        for share in json["shares"]?.elements ?? [] {
            guard let host = share["host"]?.text, let count = share["shards"]?.quantity, count > 0 else { return nil }
            shares[host] = count
        }
    }
}
