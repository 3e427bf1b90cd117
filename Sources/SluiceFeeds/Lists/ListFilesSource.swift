// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// `lists/`, `data/*.parquet`: the lists in a folder without photos, or those that match a pattern.
///
/// Each is a feed of its own, in the order of their names.
struct ListFilesSource: SourceKind {
    /// The paths of the lists.
    private let paths: [String]
    /// The folder that has them; empty for a pattern.
    private let root: String

    var type: SourceType { .list }

    init?(_ text: String) {
        if let pattern = PathPattern(text) {
            let files = pattern.files()
            guard !files.isEmpty, !files.contains(where: PictureName.isPicture) else { return nil }
            // A pattern names its lists, whatever their extensions are.
            (paths, root) = (files.map(Self.absolute), "")
            return
        }
        guard let path = try? Folder(text).resolvedPath() else { return nil }
        var (lists, walker) = ([String](), FileWalker([path]))
        while let file = walker.next() {
            if file.isNamed || Self.isPicture(file) { return nil }
            if ListName.isList(file.path), !PathText.isAddress(file.path) { lists.append(file.path) }
        }
        guard !lists.isEmpty else { return nil }
        (paths, root) = (lists, path)
    }

    /// The first bytes of photos.
    private static let signatures: [[UInt8]] = [
        [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), Array("RIFF".utf8), [0x49, 0x49, 0x2A, 0],
        [0x4D, 0x4D, 0, 0x2A], [0, 0, 0],
    ]

    /// Whether a file in the folder is a picture, by its name or, without an extension, by its first bytes.
    ///
    /// Programs that write lists put files such as `_SUCCESS` and `_metadata` beside them.
    private static func isPicture(_ file: FileWalker.File) -> Bool {
        if PictureName.isPicture(file.path) { return true }
        let name = PictureName.lastComponent(of: file.path)
        guard !name.contains("."), !name.hasPrefix("_"),
            let bytes = try? OpenFile.reading(file.path, followsLink: false).read(at: 0, count: 16)
        else { return false }
        return signatures.contains { bytes.starts(with: $0) }
    }

    private static func absolute(_ path: String) -> String {
        guard let name = path.split(separator: "/").last else { return path }
        let folder = path.contains("/") ? String(path.dropLast(name.utf8.count)) : "."
        return (try? Folder(folder).resolvedPath()).map { "\($0 == "/" ? "" : $0)/\(name)" } ?? path
    }

    /// Lists may name photos on any host.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = true
        return politeness
    }

    func feeds(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> [SourceFeed] {
        // Programs that divide their work write parts without rows.
        let (own, part) = (options.ownList, options.joinedLists.ownList)
        return paths.map { path in
            let isPart = paths.count > 1 && ListName.ending(of: path) == "parquet"
            let list = ListFeed(
                path, options: isPart ? part : own, partition: PartitionColumns(of: path.dropFirst(root.count)))
            var feed = SourceFeed(list, idScope: path, politeness: politeness)
            feed.source = path
            return feed
        }
    }
}

package enum ListName {
    private static let compressions: Set = ["gz", "zst"]
    /// Extensions that only lists have, whatever type a server states.
    private static let extensions: Set = ["csv", "jsonl", "ndjson", "parquet", "tsv"]

    /// Whether a name or path ends like that of a list, for example `photos.csv.gz`.
    package static func isList(_ name: String) -> Bool {
        let last = name.split(separator: "/").last.map(String.init)
        return last.flatMap(ending).map(extensions.contains) ?? false
    }

    /// Whether an address names a Parquet file.
    static func isParquet(_ address: String) -> Bool {
        let last = WebAddress(address)?.pathComponents.last
        return last.flatMap(ending) == "parquet"
    }

    /// Returns the last extension of a name in lower case, without that of a compression; `nil` without one.
    static func ending(of name: String) -> String? {
        var parts = name.lowercased().split(separator: ".").map(String.init)
        if let last = parts.last, compressions.contains(last) { parts.removeLast() }
        return parts.count > 1 ? parts.last : nil
    }
}
