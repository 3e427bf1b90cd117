// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel
internal import SluiceStore

/// The plans whose photos a mirror has, according to the certificate of an earlier merge.
struct CertifiedPlans: Sendable, Hashable {
    /// A plan of a source, or of the photos that were appended to it later.
    struct Source: Sendable, Hashable {
        /// The plan's `id`.
        var plan: String
        var rows: Int
        var shards: Int
        var sourceSHA256: String
    }

    /// The certificate, and the mark of a complete merge.
    static let (certificate, success) = (MirrorFolder.proofFiles[0], MirrorFolder.proofFiles[1])
    private static let maximumSize = 256 << 20

    /// The plan of the source, and those that were appended to it, in order; all photos have a result.
    private(set) var sources: [Source] = []
    /// The `id`s of the merged plans of leftovers.
    private(set) var leftovers: [String] = []

    init() {}

    /// Reads the certificate; without one, no plan is certified.
    init(in mirror: any Store) {
        guard let bytes = try? mirror.read(Self.certificate, limit: Self.maximumSize),
            let json = try? JSON(parsing: bytes), var first = Source(json)
        else { return }
        let appended = (json["appended"]?.elements ?? []).compactMap { Source($0) }
        // The member `rows` of the certificate counts all photos.
        first.rows -= appended.sum(\.rows)
        sources = [first] + appended
        leftovers = (json["leftover_plans"]?.elements ?? []).compactMap(\.text)
        let isComplete =
            json["missing"]?.elements?.isEmpty == true && json["left"] == nil
            && mirror.size(of: Self.success) != nil
        // Only the last plan may be incomplete.
        if !isComplete { sources.removeLast() }
        if sources.contains(where: { $0.rows < 0 }) { sources = [] }
    }

    /// Reads the certificate of the mirror at a location.
    init(at location: String, _ buckets: S3Options) throws(MirrorError) {
        if let bucket = try BucketMirror(location, buckets) {
            self.init(in: try bucket.openShared().store)
        } else if let folder = try? Folder(location) {
            self.init(in: LocalStore(folder))
        } else {
            self.init()
        }
    }

    var rows: Int { sources.sum(\.rows) }

    /// Whether the mirror has the photos of a plan, which may be one of leftovers.
    func contains(_ plan: Plan) -> Bool { sources.contains { $0.plan == plan.id } || leftovers.contains(plan.id) }
}

extension CertifiedPlans.Source {
    init(_ plan: Plan) {
        self.init(plan: plan.id, rows: plan.rows, shards: plan.shards.count, sourceSHA256: plan.sourceSHA256)
    }

    func write(to object: inout JSONWriter) {
        object.member("plan", plan)
        object.member("source_sha256", sourceSHA256)
        object.member("rows", rows)
        object.member("shards", shards)
    }

    fileprivate init?(_ json: JSON) {
        guard let plan = json["plan"]?.text, let rows = json["rows"]?.quantity, let shards = json["shards"]?.quantity,
            let sha256 = json["source_sha256"]?.text
        else { return nil }
        self.init(plan: plan, rows: rows, shards: shards, sourceSHA256: sha256)
    }
}
