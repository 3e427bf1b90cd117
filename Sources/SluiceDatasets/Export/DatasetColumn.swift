// SPDX-License-Identifier: MIT

internal import SluiceLedger
internal import SluiceModel

/// A column of a dataset's metadata.
struct DatasetColumn: Sendable {
    enum Value: Sendable {
        case text(@Sendable (DatasetRow) -> String?)
        case integer(@Sendable (DatasetRow) -> Int?)
        case decimal(@Sendable (DatasetRow) -> Double?)
        case flag(@Sendable (DatasetRow) -> Bool?)
        /// A time in seconds since 1970.
        case time(@Sendable (DatasetRow) -> Int?)
    }

    let name: String
    let value: Value

    private init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }

    /// The columns of a layout, in order; the names that img2dataset also has mean the same as there.
    static func all(for options: DatasetOptions, listed: [ListedColumn]) -> [DatasetColumn] {
        let rules = options.layout.rules
        var columns =
            (rules.container == .folder ? [fileName] : []) + address + (rules.hasFailures ? result : []) + picture
            + facts + provenance
        columns += recorded.filter { column in !(columns + result).contains { $0.name == column.name } }
        columns += requested(by: options)
        var names = TextSet(columns.map(\.name))
        for column in listed {
            let name = names.contains(column.name) ? "list_\(column.name)" : column.name
            if names.insert(name) { columns.append(DatasetColumn(name, value(of: column))) }
        }
        return columns
    }

    private static func value(of column: ListedColumn) -> Value {
        let name = column.name
        return switch column.kind {
        case .text: .text { row in row.listed(name).map { $0.text ?? $0.serialized } }
        case .integer: .integer { row in row.listed(name)?.anyInteger }
        case .decimal: .decimal { row in row.listed(name)?.text.flatMap(Double.init) }
        case .flag: .flag { row in if case .bool(let flag)? = row.listed(name) { flag } else { nil } }
        }
    }

    /// The columns that the manifest's line of a photo lacks.
    static func besideManifest(_ options: DatasetOptions) -> [DatasetColumn] {
        (options.embedded.isEmpty ? [] : stored) + requested(by: options)
    }

    /// The columns that only some exports have.
    static func requested(by options: DatasetOptions) -> [DatasetColumn] {
        (options.clusterDistance != nil ? [DatasetColumn("cluster", .integer(\.cluster))] : [])
            + (options.exif != nil ? [DatasetColumn("exif", .text(\.exif))] : [])
    }

    /// The column by which the `imagefolder` reader of `datasets` finds the pictures.
    private static let fileName = DatasetColumn("file_name", .text(\.fileName))

    private static let result = [
        DatasetColumn("status", .text(\.status.rawValue)),
        DatasetColumn("error_message", .text { $0.picture == nil ? "\($0.failure)" : nil }),
        DatasetColumn("cause", .text { $0.picture == nil ? $0.failure.cause.name : nil }),
        DatasetColumn("http_status", .integer { $0.entry.receipt?.status ?? $0.entry.receipt?.failure?.status }),
    ]

    private static let address = [
        DatasetColumn("url", .text { $0.entry.receipt?.url ?? $0.entry.item.photo.variants.first?.url }),
        DatasetColumn("caption", .text(\.entry.item.photo.caption)),
        DatasetColumn("key", .text(\.key)),
    ]

    private static let picture =
        [
            DatasetColumn("width", .integer(\.picture?.width)),
            DatasetColumn("height", .integer(\.picture?.height)),
            DatasetColumn("original_width", .integer(\.entry.receipt?.width)),
            DatasetColumn("original_height", .integer(\.entry.receipt?.height)),
            DatasetColumn("sha256", .text(\.entry.receipt?.original?.sha256)),
            DatasetColumn("bytes", .integer(\.entry.receipt?.original?.bytes)),
        ] + stored + [
            DatasetColumn("phash", .text(\.entry.receipt?.phash)),
            DatasetColumn("orientation", .integer { $0.entry.receipt.map { $0.orientation ?? 1 } }),
            DatasetColumn("color", .text { $0.entry.receipt?.color ?? $0.entry.item.photo.color }),
            DatasetColumn("placeholder", .text { $0.entry.receipt?.placeholder ?? $0.entry.item.photo.placeholder }),
        ]

    private static let stored = [
        DatasetColumn("stored_sha256", .text(\.picture?.file.sha256)),
        DatasetColumn("stored_bytes", .integer(\.picture?.file.bytes)),
    ]

    /// The feed's facts that the manifest has, except those above.
    private static let facts = PhotoField.all.filter { field in
        ![.absent, .ofFile, .ofFileOrFeed].contains(field.manifest) && field != .field(\.caption)
            && field.kind != .object
            // It may be the path of a list, and data sets are published.
            && field != .field(\.source)
    }
    .map { field in
        switch field.property {
        case .text: DatasetColumn(field.name, .text { field.text(of: $0.entry.item.photo) })
        case .number where field.kind == .date:
            DatasetColumn(field.name, .time { field.number(of: $0.entry.item.photo) })
        case .number: DatasetColumn(field.name, .integer { field.number(of: $0.entry.item.photo) })
        }
    }

    /// The facts of receipts; most have another place, among those above.
    private static let recorded = ReceiptField.all.compactMap { field -> DatasetColumn? in
        guard let name = field.dataset else { return nil }
        return switch field.value {
        case .text, .object: DatasetColumn(name, .text { $0.entry.receipt.flatMap { field.text(of: $0) } })
        case .number, .side: DatasetColumn(name, .integer { $0.entry.receipt.flatMap { field.number(of: $0) } })
        case .thumbs: nil
        }
    }

    private static let provenance = [
        DatasetColumn("id", .text(\.entry.item.photo.id)),
        DatasetColumn("feed", .text(\.entry.item.feed)),
        DatasetColumn("seq", .integer(\.entry.item.seq)),
        DatasetColumn(
            "final_url",
            .text { row in
                let receipt = row.entry.receipt
                return receipt?.finalURL ?? receipt?.failure?.finalURL ?? receipt?.url
            }),
        DatasetColumn("etag", .text(\.entry.receipt?.etag)),
        DatasetColumn("last_modified", .text(\.entry.receipt?.lastModified)),
        DatasetColumn("fetched", .time(\.fetchedAt)),
        DatasetColumn("usage", .text(\.entry.receipt?.usage)),
    ]
}
