// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel
internal import SluiceParquet
internal import SluiceStore

/// Writes the files of one shard; they get their names when the shard is committed.
struct ShardWriter: ~Copyable {
    /// The largest picture in a table, since readers refuse pages of 2 GiB.
    private static let largestCell = 1 << 30

    private let target: ExportFolder
    private let options: DatasetOptions
    private let rules: LayoutRules
    private let columns: [DatasetColumn]
    private var pictures: PictureWriter
    private var table: ParquetWriter?
    private var statistics = ShardStatistics()
    /// The size of the pictures in the table.
    private var tableBytes = 0
    /// The rows written so far.
    private(set) var content: ShardContent

    init(
        _ content: ShardContent, in target: ExportFolder, _ options: DatasetOptions, columns: [DatasetColumn]
    ) throws(FileError) {
        let rules = options.layout.rules
        let name = target.name(of: content)
        try target.makeParent(of: name + rules.mainFile)
        let pictures = try PictureWriter(name, in: target.store, rules)
        var table: ParquetWriter?
        if rules.writesTable {
            let suffix = rules.container == .folder ? rules.mainFile : ".parquet"
            table = try ParquetWriter(
                columns, withPictures: rules.container == .table, to: target.store.create(name + suffix))
        }
        (self.target, self.options, self.content) = (target, options, content)
        (self.rules, self.columns) = (rules, columns)
        self.pictures = pictures
        self.table = table
    }

    mutating func add(
        _ planned: DatasetRow, _ conversion: PictureRecoder.Pending?, from store: any Store,
        _ report: inout DatasetReport
    ) throws {
        var row = planned
        if let conversion, let format = options.recodedFormat { try row.finish(conversion, to: format) }
        if let failure = row.conversionFailure {
            report.unconverted.append(UnconvertedPicture(path: planned.picture?.file.path ?? "", failure: failure))
        }
        if !options.embedded.isEmpty { try embedMetadata(into: &row, from: store, &report) }
        if rules.hasShardKeys { row.key = content.nextKey(options) }
        var cell: [UInt8]?
        if rules.container == .table, let picture = row.picture {
            guard picture.file.bytes <= Self.largestCell else {
                let failure = Failure(.unsupported, "a picture of more than 1 GiB does not fit into a table")
                report.unconverted.append(UnconvertedPicture(path: picture.file.path, failure: failure))
                return content.add(planned)
            }
            cell = try bytes(of: picture, from: store)
            tableBytes += cell?.count ?? 0
        } else if let picture = row.picture {
            try add(picture, as: "\(row.key).\(picture.fileExtension)", from: store)
            if let metadata = rules.metadata { try pictures.add("\(row.key).json", member(metadata, of: row)) }
            if let caption = caption(of: row) {
                try pictures.add("\(row.key).\(options.captions?.rawValue ?? "txt")", Array(caption.utf8))
            }
        }
        if row.picture != nil || rules.hasFailures {
            if rules.container == .table { table?.add(cell, named: row.fileName) }
            try table?.add(columns, of: row)
        }
        statistics.count(row)
        // Whether an interrupted export is the same must be known without any conversion.
        content.add(planned)
    }

    /// Writes metadata into the row's picture, if its format has a place for it.
    private func embedMetadata(
        into row: inout DatasetRow, from store: any Store, _ report: inout DatasetReport
    ) throws(FileError) {
        guard let picture = row.picture else { return }
        if row.takesMetadata, row.embedMetadata(options, content: try bytes(of: picture, from: store)) {
            report.embedded += 1
        } else {
            report.unembedded += 1
        }
    }

    private mutating func add(_ picture: DatasetRow.Picture, as name: String, from store: any Store) throws(FileError) {
        if let content = picture.content { return try pictures.add(name, content) }
        guard let file = try store.openComplete(picture.file),
            try pictures.add(name, of: file, count: picture.file.bytes)
        else { throw FileError(truncated: picture.file.path) }
    }

    private func bytes(of picture: DatasetRow.Picture, from store: any Store) throws(FileError) -> [UInt8] {
        if let content = picture.content { return content }
        let count = picture.file.bytes
        guard let file = try store.openComplete(picture.file) else { throw FileError(truncated: picture.file.path) }
        let bytes = try file.read(at: 0, count: count)
        guard bytes.count == count else { throw FileError(truncated: picture.file.path) }
        return bytes
    }

    /// Completes the shard's files, which are neither flushed nor have their names.
    consuming func finish(runs: [PastRun]) throws(FileError) -> CompleteShard {
        let (content, target, rules, statistics) = (content, target, rules, statistics)
        let (name, bytes) = (target.name(of: content), pictures.bytes + tableBytes)
        var before: [StagedFile] = []
        var after: [StagedFile] = []
        if let table = table.take() {
            let file = try table.finish().stage(flushed: false)
            if rules.container == .tar { before.append(file) } else { after.append(file) }
        }
        if rules.writesStatistics {
            let path = "\(name)_stats.json"
            let json = statistics.json(runs: runs)
            before.append(try target.store.stage(json, as: path, temporary: path, durability: .none))
        }
        // The main file is the last.
        return CompleteShard(
            target: target, content: content, samples: statistics.successes, bytes: bytes,
            files: before + (try pictures.stage()) + after)
    }

    /// The content of a row's JSON member.
    private func member(_ metadata: LayoutRules.Metadata, of row: DatasetRow) -> [UInt8] {
        var writer = JSONWriter()
        switch metadata {
        case .manifestLine: return row.line(with: DatasetColumn.besideManifest(options))
        case .columns: writer.columns(columns, of: row)
        }
        writer.newline()
        return writer.bytes
    }
}

extension FileError {
    /// The error of a file that was intact when the export found it.
    fileprivate init(truncated path: String) {
        self.init(code: 5, operation: "read", path: path, reason: "the file was truncated during the export")
    }
}

extension ShardWriter {
    /// The content of the member or file with a photo's caption; `nil` if it has none.
    private func caption(of row: DatasetRow) -> String? {
        let caption = row.entry.item.photo.caption
        return switch rules.captions {
        case .never: options.captions == nil ? nil : caption
        case .ifPresent: caption
        case .always: caption ?? ""
        }
    }
}
