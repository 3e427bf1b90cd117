// SPDX-License-Identifier: MIT

internal import SluiceFiles
package import SluiceModel
package import SluiceTransfer

/// The WARC of a run, to which its transfers add their exchanges.
package final class WebArchive: ExchangeRecording {
    private let name: ArchiveName
    /// The open series; `nil` before the run and after it.
    private let series = Locked<ArchiveSeries?>(nil)

    package init(_ name: ArchiveName) { self.name = name }

    /// Opens the files, which fails before the run if they cannot be written.
    package func open() throws(MirrorError) {
        try series.withLock { (series) throws(MirrorError) in
            series = try ArchiveSeries(name, software: "Sluice/\(Version.number)")
        }
    }

    /// Throws if the files cannot be written; changes nothing.
    func check() throws(MirrorError) { try ArchiveSeries.check(name) }

    /// Adds an exchange; the lock is held while it is written, because a record must not have another one inside.
    package func record(_ exchange: RecordedExchange) throws(Failure) {
        try series.withLock { (series) throws(Failure) in try series?.add(exchange) }
    }

    /// Writes the index and closes the files.
    package func close() throws(MirrorError) {
        try series.withLock { (series) throws(MirrorError) in
            defer { series = nil }
            try series?.writeIndex()
        }
    }
}

/// The names of the files of a WARC series, made from the name that the user gave.
package struct ArchiveName: Sendable, Hashable {
    package let folder: String
    /// The name without its extensions.
    package let base: String
    /// Whether each record is compressed with gzip.
    package let isCompressed: Bool

    /// Parses the path of a file whose name ends with `.warc` or `.warc.gz`; `nil` for other paths.
    package init?(_ path: String) {
        let (folder, name) = Folder.place(of: path)
        guard
            let suffix = [".warc.gz", ".warc"].first(where: { name.utf8.reversed().starts(with: $0.utf8.reversed()) }),
            name.utf8.count > suffix.utf8.count
        else { return nil }
        self.folder = folder
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
