// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// `s3://bucket/prefix`: the pictures in a bucket; `s3://bucket/photos.csv.gz`: a list in one.
struct BucketSource: SingleFeedKind {
    private static let scheme = "s3://"
    private static let listExtensions: Set = ["csv", "json", "jsonl", "ndjson", "parquet", "tsv", "txt"]

    private let location: String
    /// Whether the location is that of a list, by the extension of its key.
    let isList: Bool
    private let isParquet: Bool

    init?(_ text: String) {
        guard text.lowercased().hasPrefix(Self.scheme) else { return nil }
        location = text
        let name = text.dropFirst(Self.scheme.count).split(separator: "/").last.map(String.init)
        let ending = name.flatMap(ListName.ending)
        isList = ending.map(Self.listExtensions.contains) ?? false
        isParquet = ending == "parquet"
    }

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
        let content: ListContent
        if isParquet {
            let open = try buckets.parts(ofListAt: location)
            content = .parquet { () throws(FileError) in try open() }
        } else {
            content = .text(try buckets.opener(ofListAt: location))
        }
        return ListFeed(location, content: content, options: options.list)
    }
}
