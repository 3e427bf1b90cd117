// SPDX-License-Identifier: MIT

internal import SluiceTransfer

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
