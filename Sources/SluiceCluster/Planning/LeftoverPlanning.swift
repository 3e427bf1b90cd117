// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Plans the photos that the shards of a plan have left, for example because their time was limited.
///
/// It closes all shards of the plan. The new plan has a shard for each that left photos, with the same positions and
/// file names; so hosts are distributed as before, and merging both plans gives the mirror of the whole source.
public final class LeftoverPlanning: Sendable {
    private static let batchSize = 1000

    private let closing: ShardClosing
    private let folder: String
    private let options: MirrorOptions
    private let token = CancellationToken()

    /// Prepares a plan in the folder `target` of the photos that the plan in `folder` did not finish in the mirror
    /// `destination`.
    ///
    /// `options` are those of the plan's command.
    public init(
        ofPlanIn folder: String, below destination: String, into target: String, options: MirrorOptions
    ) throws(MirrorError) {
        let store = try Plan.store(folder, options.buckets)
        closing = ShardClosing(
            plan: try Plan(in: store), store: store, destination: destination, buckets: options.buckets)
        (self.folder, self.options) = (target, options)
    }

    /// Requests the planning to stop; ``run(progress:)`` then throws.
    public func stop() { token.cancel() }

    /// Closes the shards and writes the plan; calls `progress` with the number of photos so far.
    ///
    /// Throws if a process works on a shard, or if nothing is left.
    public func run(progress: (Int) -> Void = { _ in }) throws(MirrorError) -> PlanReport {
        let (old, store) = (closing.plan, closing.store)
        guard try DatasetFolder(of: old, at: closing.destination, closing.buckets) == nil else {
            throw MirrorError(
                .usage,
                "cannot plan the leftovers of '\(store.location)': its shards are pieces of a dataset; run `sluice work` "
                    + "again")
        }
        var receipts: [ShardReceipt] = []
        for number in old.shards.indices {
            receipts.append(try closing.receipt(of: number))
            guard !token.isCancelled else { throw MirrorError(.local, "cancelled") }
        }
        receipts.removeAll { $0.counts.waiting == 0 }
        guard !receipts.isEmpty else {
            throw MirrorError(.usage, "cannot plan the leftovers of '\(store.location)': nothing is left")
        }
        let target = try PlanFolder(folder, options.buckets)
        var plan = old
        (plan.leftoversOf, plan.appendedTo, plan.rows, plan.shards) = (old.id, nil, 0, [])
        var hostsOfShards: [Set<String>] = []
        var files: [StagedFile] = []
        let digest = SHA256()
        for receipt in receipts {
            let (file, hosts, shard) = try write(receipt, as: plan.shards.count, to: target.store, digest)
            files.append(file)
            hostsOfShards.append(hosts)
            plan.shards.append(shard)
            plan.rows.add(shard.rows)
            progress(plan.rows)
        }
        plan.sourceSHA256 = digest.finish()
        // Shards that have finished their part of a host leave its limits to the others.
        for (index, hosts) in hostsOfShards.enumerated() {
            for host in hosts where old.shards[receipts[index].shard].shares[host] != nil {
                let sharers = hostsOfShards.count { $0.contains(host) }
                if sharers > 1 { plan.shards[index].shares[host] = sharers }
            }
        }
        var report = PlanReport(plan: plan)
        report.isUnchanged = try target.commit(plan, files)
        return report
    }

    /// Writes the rows of a shard that have no result; returns the file, their hosts, and the new shard.
    private func write(
        _ receipt: ShardReceipt, as number: Int, to store: any Store, _ digest: borrowing SHA256
    ) throws(MirrorError) -> (StagedFile, Set<String>, Plan.Shard) {
        let planned = try PlannedShard(receipt.shard, of: closing.plan, in: closing.store)
        let session = try planned.session(options: options, width: 1, token: token)
        let choice = session.choice(options)
        let attempts = try closing.attempts(at: receipt.shard)
        let results = try attempts.results(committedBy: receipt, orThrow: "cannot plan the leftovers")
        var reader = try ShardResultReader(receipt.shard, of: closing.plan, in: closing.store, results)
        let file = try MirrorError.onDisk(
            RowFileWriter(Plan.rowsName(of: number), in: store, encoder: ZstdEncoder(), bufferSize: 256 << 10))
        var shard = Plan.Shard()
        var hosts: Set<String> = []
        var writer = JSONWriter()
        while case let results = try reader.next(Self.batchSize), !results.isEmpty {
            guard !token.isCancelled else { throw MirrorError(.local, "cancelled") }
            for (planned, entry) in results where entry == nil {
                writer.removeAll()
                PlanRow.write(planned, to: &writer)
                digest.update(writer.bytes)
                try MirrorError.onDisk(file.append(writer.bytes.dropLast()))
                hosts.insert(choice.host(of: planned.item.photo))
                shard.rows += 1
            }
        }
        try MirrorError.onDisk(file.writeRows())
        let staged = try MirrorError.onDisk(file.stage())
        (shard.hosts, shard.sha256) = (hosts.count, staged.sha256)
        guard shard.rows == receipt.counts.waiting else {
            throw MirrorError(
                .damaged,
                "cannot plan the leftovers of shard \(receipt.shard): its receipt counts \(receipt.counts.waiting) "
                    + "photos, and \(shard.rows) have no result")
        }
        return (staged.file, hosts, shard)
    }
}
