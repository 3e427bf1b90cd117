// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Shares the files with hosts' rules among the workers of a plan, so that one of them requests each once a day.
///
/// They are in a hidden folder of the mirror in `--out`, and not in that of the plan, which a stranger may have filled.
/// A file counts for the UTC day of its request. If the folder cannot be used, each worker requests the files.
struct SharedOriginFiles: OriginFileSharing {
    /// The largest file to share.
    private static let maximumSize = 1 << 20
    /// The largest first line of a stored file.
    private static let maximumHead = 64 << 10

    private let store: any Store
    private let folder: @Sendable () -> String
    /// The hosts that several shards share.
    private let hosts: TextSet
    /// How long to wait for the request of another worker, which may have been killed.
    private let longestWait: Duration
    /// Distinguishes this worker from others.
    private let writer = ShardAttempts.newName()
    private let queue = DispatchQueue(label: "sluice.origin-files", attributes: .concurrent)

    /// Opens the folder for a shard; `nil` if it cannot be used.
    init?(of shard: PlannedShard, at destination: String, _ buckets: S3Options) {
        guard let store = try? Self.store(at: destination, buckets) else { return nil }
        self.init(
            in: store, ShardAttempts.rulesFolder(of: shard.plan),
            hosts: TextSet(shard.plan.shards[shard.number].shares.keys))
    }

    /// Opens the folder or the bucket that the workers share.
    static func store(at destination: String, _ buckets: S3Options) throws -> any Store {
        if let bucket = try BucketMirror(destination, buckets) { return try bucket.openShared().store }
        return LocalStore(try Folder(destination, create: true))
    }

    /// Shares files in a folder of `store`; `now` returns the seconds since 1970.
    init(
        in store: any Store, _ folder: String, hosts: TextSet, longestWait: Duration = .seconds(30),
        now: @escaping @Sendable () -> Int = { Machine.secondsSince1970 }
    ) {
        (self.store, self.hosts, self.longestWait) = (store, hosts, longestWait)
        self.folder = { "\(folder)/\(now() / 86_400)" }
    }

    func isShared(_ host: String) -> Bool { hosts.contains(host) }

    func file(from url: String, token: CancellationToken) async -> OriginFile? {
        let deadline = ContinuousClock.now + longestWait
        var interval = Duration.milliseconds(100)
        while true {
            switch await inBackground({ find(url) }) {
            case .found(let file): return file
            case .absent: return nil
            case .requested: break
            }
            guard .now < deadline else { return nil }
            do throws(Failure) { try await pause(for: interval, token: token) } catch { return nil }
            interval = min(interval * 2, .seconds(2))
        }
    }

    func share(_ file: OriginFile?, from url: String) async {
        await inBackground {
            let name = name(of: url)
            // If the folder cannot be used any more, each worker requests the file.
            if let bytes = file.flatMap({ Self.stored($0, from: url) }) {
                try? store.write(bytes, to: name, temporary: "\(name)-\(writer)", durability: .none)
            } else {
                try? store.remove(Self.claim(of: name))
            }
        }
    }

    private enum Search {
        case found(OriginFile)
        /// Another worker requests the file.
        case requested
        /// This worker has to request the file.
        case absent
    }

    /// Returns the shared file, or claims the right to request it.
    private func find(_ url: String) -> Search {
        let name = name(of: url)
        do throws(FileError) {
            let bytes = try store.read(name, limit: Self.maximumHead + Self.maximumSize)
            return Self.file(in: bytes, from: url).map(Search.found) ?? .absent
        } catch {
            guard error.isMissing, let exclusive = store.exclusiveWriting else { return .absent }
            let claim = Self.claim(of: name)
            let isFirst = try? exclusive.writeIfAbsent([UInt8](writer.utf8), to: claim, temporary: "\(claim)-\(writer)")
            return isFirst == false ? .requested : .absent
        }
    }

    private func inBackground<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    // MARK: Files

    private func name(of url: String) -> String { "\(folder())/\(SHA256.digest(of: [UInt8](url.utf8)))" }

    private static func claim(of name: String) -> String { "\(name).claim" }

    /// Returns a line that describes the file, followed by its content; `nil` if it is too large.
    private static func stored(_ file: OriginFile, from url: String) -> [UInt8]? {
        var writer = JSONWriter()
        writer.object { head in
            head.member("schema", 1)
            head.member("url", url)
            head.member("missing", file == .missing)
        }
        writer.newline()
        guard writer.bytes.count <= maximumHead else { return nil }
        guard case .content(let content) = file else { return writer.bytes }
        return content.count <= maximumSize ? writer.bytes + content : nil
    }

    /// Returns the file that a worker has stored; `nil` if it is malformed or from another URL.
    private static func file(in bytes: [UInt8], from url: String) -> OriginFile? {
        guard let end = bytes.prefix(maximumHead).firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSON(parsing: Array(bytes[..<end])), head["schema"]?.integer == 1,
            head["url"]?.text === url, case .bool(let isMissing)? = head["missing"]
        else { return nil }
        return isMissing ? .missing : .content(Array(bytes[(end + 1)...]))
    }
}

/// The number of unfinished shards that share each host of one shard.
///
/// Each of them uses that part of a host's limits. Shards finish once, so a worker that learns late of one uses less
/// than it might, and all workers together never exceed the limits.
struct HostShares: Sendable, Hashable {
    /// The number of shards by host, for the hosts that several shards share in the plan.
    private(set) var counts: [String: Int]
    /// The hosts of each other shard that is not known to be finished.
    private var others: [Int: [String]] = [:]

    /// Makes the shares of shard `number` when no shard is finished.
    init(of number: Int, in plan: Plan) {
        counts = plan.shards[number].shares
        guard !counts.isEmpty else { return }
        for (other, shard) in plan.shards.enumerated() where other != number {
            let hosts = shard.shares.keys.filter { counts[$0] != nil }
            if !hosts.isEmpty { others[other] = hosts }
        }
    }

    /// Records finished shards, which leave their shares to the others; returns whether that changes any.
    @discardableResult
    mutating func finish(_ shards: some Sequence<Int>) -> Bool {
        let before = counts
        for shard in shards {
            for host in others.removeValue(forKey: shard) ?? [] { counts[host] = max(1, (counts[host] ?? 1) - 1) }
        }
        return counts != before
    }
}
