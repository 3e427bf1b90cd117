// SPDX-License-Identifier: MIT

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
