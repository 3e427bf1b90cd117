// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceParquet

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
