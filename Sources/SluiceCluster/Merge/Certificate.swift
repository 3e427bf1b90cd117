// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// The proof that a merged mirror is complete, in `certificate.json`.
///
/// It has no times, so the same plan and results give the same bytes, however many attempts the shards needed.
struct Certificate: Sendable, Hashable {
    static let name = CertifiedPlans.certificate
    static let success = CertifiedPlans.success

    /// The plan of the source, and those that were appended to it.
    let sources: [CertifiedPlans.Source]
    /// The `id`s of the plans of leftovers.
    let leftovers: [String]
    let counts: ShardCounts
    let missing: [Int]
    /// The number of photos that have no result after the last plan.
    let left: Int
    let isDeep: Bool
    /// The number of lines of `manifest.jsonl`, and their digests.
    let lines: Int
    let manifestSHA256: String
    let merkleRoot: String

    /// Reads the manifest of a merged mirror.
    init(of proof: MergeProof, _ plans: [Plan], in mirror: any Store, isDeep: Bool) throws(MirrorError) {
        (counts, missing, left) = (proof.counts, proof.missing, proof.left)
        let merged = proof.merged
        let new = plans.filter { !merged.contains($0) }
        sources = merged.sources + new.filter { $0.leftoversOf == nil }.map { CertifiedPlans.Source($0) }
        let earlier = merged.leftovers
        leftovers = earlier + new.filter { $0.leftoversOf != nil && !earlier.contains($0.id) }.map(\.id)
        self.isDeep = isDeep
        let hash = SHA256()
        var tree = MerkleTree()
        do {
            var reader = try LineReader(try mirror.open(ManifestWriter.names[0]))
            while let line = try reader.next() {
                hash.update(Array(line) + [UInt8(ascii: "\n")])
                tree.add(line)
            }
        } catch {
            throw MirrorError(converting: error)
        }
        (lines, manifestSHA256, merkleRoot) = (tree.count, hash.finish(), tree.root)
        guard lines == proof.rows else {
            throw MirrorError(
                .damaged,
                "cannot certify '\(mirror.location)': its manifest has \(lines) photos, and the plan has "
                    + "\(proof.rows)")
        }
    }

    /// Throws if another merge has joined all shards of the plan in the meantime.
    static func checkUnmerged(_ plan: Plan, at location: String, _ buckets: S3Options) throws(MirrorError) {
        if try CertifiedPlans(at: location, buckets).contains(plan) {
            throw MirrorError(.locked, "cannot merge into '\(location)': another merge has finished it")
        }
    }

    func write(to mirror: any Store) throws(MirrorError) {
        try MirrorError.onDisk(
            mirror.write(json, to: Self.name, temporary: Self.name, durability: .each))
        guard missing.isEmpty, left == 0 else {
            // That of an earlier merge would count for the photos that were planned later, too.
            guard mirror.size(of: Self.success) != nil else { return }
            return try MirrorError.onDisk(mirror.remove(Self.success))
        }
        try MirrorError.onDisk(mirror.write([], to: Self.success, temporary: Self.success, durability: .each))
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { certificate in
            certificate.member("schema", 1)
            certificate.member("plan", sources[0].plan)
            if !leftovers.isEmpty {
                certificate.array("leftover_plans") { list in for plan in leftovers { list.value(plan) } }
            }
            certificate.member("source_sha256", sources[0].sourceSHA256)
            certificate.member("rows", lines)
            certificate.member("shards", sources[0].shards)
            if sources.count > 1 {
                certificate.array("appended") { list in
                    for source in sources.dropFirst() { list.object { source.write(to: &$0) } }
                }
            }
            certificate.array("missing") { list in for shard in missing { list.value(shard) } }
            if left > 0 { certificate.member("left", left) }
            certificate.member("done", counts.done)
            certificate.member("skipped", counts.skipped)
            certificate.member("failed", counts.failed)
            certificate.member("bytes", counts.bytes)
            certificate.member("deep", isDeep)
            certificate.member("manifest_sha256", manifestSHA256)
            certificate.member("manifest_merkle_root", merkleRoot)
        }
        writer.newline()
        return writer.bytes
    }
}

/// The root of the Merkle tree over a list of lines, as in RFC 6962, computed with one digest per level.
struct MerkleTree {
    private(set) var count = 0
    /// The digests of complete subtrees, largest first; their sizes are the powers of two in ``count``.
    private var subtrees: [[UInt8]] = []

    mutating func add(_ line: ArraySlice<UInt8>) {
        var digest = SHA256.bytes(of: [0] + line)
        var size = count
        while size & 1 == 1, let left = subtrees.popLast() {
            digest = SHA256.bytes(of: [1] + left + digest)
            size >>= 1
        }
        subtrees.append(digest)
        count += 1
    }

    /// The root, in hexadecimal digits.
    var root: String {
        guard var right = subtrees.last else { return SHA256.digest(of: []) }
        for left in subtrees.dropLast().reversed() { right = SHA256.bytes(of: [1] + left + right) }
        return right.hexadecimal
    }
}
