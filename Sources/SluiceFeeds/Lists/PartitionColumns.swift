// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The columns that the folders of a list state, as Hive, Spark and pyarrow write them: `lang=de/year=2026/a.parquet`.
struct PartitionColumns: Sendable {
    /// The folder of rows without a value.
    private static let missing = "__HIVE_DEFAULT_PARTITION__"
    private let columns: [JSON.Member]

    /// Reads the folders of a path; `nil` if none states a column.
    init?(of path: Substring) {
        columns = path.split(separator: "/").dropLast().compactMap { folder in
            guard let sign = folder.firstIndex(of: "="), sign > folder.startIndex else { return nil }
            let text = String(folder[folder.index(after: sign)...])
            guard !text.isEmpty, text != Self.missing else { return nil }
            return JSON.Member(
                name: String(folder[..<sign]),
                value: OtherColumns.value(String(decoding: text.utf8.percentDecoded, as: UTF8.self)))
        }
        if columns.isEmpty { return nil }
    }

    /// Returns a photo with those columns that its list does not have itself.
    func added(to photo: Photo, _ options: ListOptions) -> Photo {
        let own = photo.listedMembers
        let added = columns.filter { column in
            options.keeps(column.name) && !own.contains { $0.name === column.name }
        }
        guard photo.invalidReason == nil, !added.isEmpty else { return photo }
        var photo = photo
        photo.columns = JSON.object(own + added).serialized
        return photo
    }
}
