// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceParquet
internal import SluiceStore

/// Writes the rows of `manifest.parquet`.
///
/// The columns are those of `manifest.csv`. Times are timestamps, and the column `thumbs` has a list of paths.
struct ManifestParquet: ~Copyable {
    static let name = "manifest.parquet"

    private var writer: ParquetWriter

    /// Creates the file in the mirror's store.
    init(in store: any Store) throws(FileError) {
        writer = try ParquetWriter(ManifestColumns.all, to: store.create(Self.name))
    }

    /// Writes the row of an item.
    mutating func row(_ item: Item, _ receipt: Receipt) throws(FileError) {
        writeFields(of: item, receipt)
        try writer.endRow()
    }

    /// Completes the file, to be committed later.
    consuming func stage() throws(FileError) -> StagedFile { try writer.finish().stage(flushed: true) }
}

extension ManifestParquet: ManifestFieldWriter {
    mutating func field(_ name: String, _ text: String?) { writer.add(text) }
    mutating func field(_ name: String, _ number: Int?) { writer.add(number) }

    mutating func time(_ name: String, _ seconds: Int?) {
        let milliseconds = seconds?.multipliedReportingOverflow(by: 1000)
        writer.add(milliseconds.flatMap { $0.overflow ? nil : $0.partialValue })
    }

    mutating func thumbs(_ thumbs: [Thumb]) { writer.add(thumbs.map(\.file.path)) }
}

/// Collects the columns of `manifest.csv` and `manifest.parquet`: one for each field.
struct ManifestColumns: ManifestFieldWriter {
    /// All columns, in the order of the fields.
    static let all: [ParquetColumn] = {
        var columns = ManifestColumns()
        columns.writeFields(of: Item(seq: 0, feed: "", page: 0, photo: Photo(id: "")), Receipt(.skipped))
        return columns.collected
    }()

    private var collected: [ParquetColumn] = []

    mutating func field(_ name: String, _ text: String?) { collected.append(ParquetColumn(name, .text)) }
    mutating func field(_ name: String, _ number: Int?) { collected.append(ParquetColumn(name, .integer)) }
    mutating func time(_ name: String, _ seconds: Int?) { collected.append(ParquetColumn(name, .timestamp)) }
    mutating func thumbs(_ thumbs: [Thumb]) { collected.append(ParquetColumn("thumbs", .texts)) }
}
