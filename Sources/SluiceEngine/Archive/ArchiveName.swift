// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// The names of the files of a WARC series, made from the name that the user gave.
package struct ArchiveName: Sendable, Hashable {
    package let folder: String
    /// The name without its extensions.
    package let base: String
    /// Whether each record is compressed with gzip.
    package let isCompressed: Bool

    /// Parses the path of a file whose name ends with `.warc` or `.warc.gz`; `nil` for other paths.
    package init?(_ path: String) {
        let name: String
        (folder, name) = Folder.place(of: path)
        guard
            let suffix = [".warc.gz", ".warc"].first(where: { name.utf8.reversed().starts(with: $0.utf8.reversed()) }),
            name.utf8.count > suffix.utf8.count
        else { return nil }
        base = String(name.dropLast(suffix.count))
        isCompressed = suffix.utf8.count > 5
    }

    /// The name of a file of the series, counted from 1: `photos-00001.warc.gz`.
    package func file(_ number: Int) -> String {
        "\(base)-\(String(number).zeroPadded(to: 5)).warc\(isCompressed ? ".gz" : "")"
    }

    /// The name of the index for other programs.
    var index: String { "\(base).cdxj" }

    /// The name of the database with the state of the series.
    package var state: String { "\(base).cdxj.sqlite" }
}
