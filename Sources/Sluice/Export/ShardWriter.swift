// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel
internal import SluiceStore

/// Writes the files of one shard; they get their names when the shard is complete.
struct ShardWriter: ~Copyable {
    private let target: ExportFolder
    private let rules: LayoutRules
    private var tar: TarFile
    /// The rows written so far.
    private(set) var content: ShardContent

    /// Creates the files of an empty shard.
    init(_ content: ShardContent, in target: ExportFolder, _ rules: LayoutRules) throws(FileError) {
        let name = target.name(of: content)
        try target.folder.makeParent(of: name)
        tar = try TarFile(name, in: target.store)
        self.target = target
        self.rules = rules
        self.content = content
    }

    /// Adds a row with its picture.
    mutating func add(_ row: DatasetRow, from store: any Store) throws(FileError) {
        if let picture = row.picture {
            guard let file = DatasetRow.Picture.open(picture.file, in: store),
                try tar.add("\(row.key).\(picture.fileExtension)", of: file, count: picture.file.bytes)
            else { throw FileError(operation: "read", changed: picture.file.path) }
            try tar.add("\(row.key).json", rules.metadata.member(of: row))
            if let caption = row.entry.item.photo.caption ?? (rules.hasEmptyCaptions ? "" : nil) {
                try tar.add("\(row.key).txt", Array(caption.utf8))
            }
        }
        content.add(row)
    }

    /// Completes the shard, and returns it as the export's record describes it.
    consuming func finish() throws(FileError) -> ExportFolder.Shard {
        let (content, target) = (content, target)
        let shard = ExportFolder.Shard(content, bytes: tar.bytes)
        try target.store.commitAll([try tar.stage()], durability: .each)
        return shard
    }
}

extension FileError {
    /// The error of a file that was intact when the export found it.
    fileprivate init(operation: String, changed path: String) {
        self.init(code: 5, operation: operation, path: path, reason: "the file was truncated during the export")
    }
}

extension LayoutRules.Metadata {
    /// The content of a row's JSON member.
    fileprivate func member(of row: DatasetRow) -> [UInt8] {
        guard self == .typedColumns else { return row.line }
        var writer = JSONWriter()
        writer.typedColumns(of: row)
        writer.newline()
        return writer.bytes
    }
}
