// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Decides whether a shard is tried once more because hosts that it shares failed only for this worker.
///
/// A worker writes a small file for each shared host from which it gets a photo, beside the shared rules of hosts. If
/// its own requests to a host failed until the run gave the host up, and another shard got a photo from it on the same
/// UTC day, the failures were probably no outage of the host. A shard has one second look, on any machine.
final class SecondLook: Sendable {
    private let store: any Store
    private let folder: String
    private let shard: Int
    private let hosts: TextSet
    private let now: @Sendable () -> Int
    /// Distinguishes this worker from others.
    private let writer = ShardAttempts.newName()
    private let state = Locked<(answered: TextSet, failed: TextSet)>(([], []))

    /// Opens the folder for a shard; `nil` if it shares no host, or if the folder cannot be used.
    convenience init?(of shard: PlannedShard, at destination: String, _ buckets: S3Options) {
        let hosts = TextSet(shard.plan.shards[shard.number].shares.keys)
        guard !hosts.isEmpty, let store = try? SharedOriginFiles.store(at: destination, buckets) else { return nil }
        self.init(of: shard.number, hosts: hosts, in: store, ShardAttempts.rulesFolder(of: shard.plan))
    }

    /// Uses a folder of `store`; `now` returns the seconds since 1970.
    init(
        of shard: Int, hosts: TextSet, in store: any Store, _ folder: String,
        now: @escaping @Sendable () -> Int = { Machine.secondsSince1970 }
    ) {
        (self.shard, self.hosts, self.store, self.folder, self.now) = (shard, hosts, store, folder, now)
    }

    /// Records an event of the shard's run; events arrive one at a time.
    func record(_ event: Event) {
        switch event {
        case .itemEnded(_, .done(let receipt)):
            guard let host = (receipt.finalURL ?? receipt.url).flatMap({ WebAddress($0)?.host }), hosts.contains(host),
                state.withLock({ $0.answered.insert(host) })
            else { return }
            // If it cannot be written, the others have no second look because of this worker.
            _ = writeIfAbsent("\(answers(of: host))/\(Plan.digits(shard))")
        case .hostGivenUp(let host, let failure) where hosts.contains(host) && Self.isOutage(failure):
            state.withLock { _ = $0.failed.insert(host) }
        default: break
        }
    }

    /// Whether a failure may be one of the way to the host; a host that asks for less has answered.
    private static func isOutage(_ failure: Failure) -> Bool {
        [.dns, .connect, .tls, .timeout, .httpServerError].contains(failure.cause)
    }

    /// Returns the hosts that failed for this worker and not for others, if the shard has not had its second look.
    func takeHosts() -> [String] {
        let failed = state.withLock { $0.failed.sorted() }.filter(hasAnswered)
        return !failed.isEmpty && writeIfAbsent("\(folder)/second-looks/\(Plan.digits(shard))") ? failed : []
    }

    /// Whether this worker has written a file that did not exist.
    private func writeIfAbsent(_ name: String) -> Bool {
        let exclusive = store.exclusiveWriting
        return (try? exclusive?.writeIfAbsent([UInt8](writer.utf8), to: name, temporary: "\(name)-\(writer)")) == true
    }

    /// Whether another shard got a photo from the host today.
    private func hasAnswered(_ host: String) -> Bool {
        let names = (try? store.names(in: answers(of: host))) ?? []
        return names.contains { $0.allSatisfy(\.isNumber) && Int($0) != shard }
    }

    private func answers(of host: String) -> String {
        "\(folder)/\(now() / 86_400)/answers/\(SHA256.digest(of: [UInt8](host.utf8)))"
    }
}
