// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// `s3://bucket/prefix`: the pictures in a bucket; `s3://bucket/photos.csv.gz`, `s3://bucket/lists/*.parquet`: lists in
/// one.
struct BucketSource: SingleFeedKind {
    private static let scheme = "s3://"
    private static let listExtensions: Set = ["csv", "json", "jsonl", "ndjson", "parquet", "tsv", "txt"]

    private let location: String
    /// Whether the location is that of a list, by the extension of its key.
    private let isList: Bool
    /// The pattern of keys of lists; `nil` for a single key.
    private let pattern: PathPattern?

    init?(_ text: String) {
        guard text.lowercased().hasPrefix(Self.scheme) else { return nil }
        location = text
        let name = text.dropFirst(Self.scheme.count).split(separator: "/").last.map(String.init)
        let ending = name.flatMap(ListName.ending)
        isList = ending.map(Self.listExtensions.contains) ?? false
        let key = text.dropFirst(Self.scheme.count).drop { $0 != "/" }
        pattern = isList ? PathPattern(ofNames: String(key)) : nil
    }

    var type: SourceType { isList ? .list : .bucket }

    /// A list may name photos on any host.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = isList
        return politeness
    }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        guard let buckets = options.buckets else {
            throw SourceError("cannot read '\(location)': buckets are not supported here")
        }
        guard isList else { return try buckets.pictures(at: location) }
        guard let pattern else { return try Self.list(at: location, in: buckets, options) }
        let bucket = location.dropFirst(Self.scheme.count).prefix { $0 != "/" }
        let folder = pattern.folder
        let root = "\(Self.scheme)\(bucket)/"
        let names = try buckets.names(below: root + folder)
        return JoinedLists("list", at: location, pattern) { (token) throws(Failure) in
            let found = await DedicatedThread.run { names(token) }
            try token.check()
            do throws(FileError) {
                return try found.get().map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
            } catch {
                throw Failure(.feedParse, error.description, hint: error.isRefusedKey ? .readAnonymously : nil)
            }
        } opening: { [options = options.joinedLists] (name) throws(SourceError) in
            try Self.list(at: root + name, in: buckets, options, PartitionColumns(of: name[...]))
        }
    }

    private static func list(
        at location: String, in buckets: any BucketOpening, _ options: FeedOptions,
        _ partition: PartitionColumns? = nil
    ) throws(SourceError) -> ListFeed {
        let content: ListContent
        if ListName.isParquet(location) {
            let open = try buckets.parts(ofListAt: location)
            content = .parquet { () throws(FileError) in try open() }
        } else {
            content = .text(try buckets.opener(ofListAt: location))
        }
        return ListFeed(location, content: content, options: options.list, partition: partition)
    }
}
