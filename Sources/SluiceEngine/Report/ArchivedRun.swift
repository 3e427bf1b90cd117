// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Opens the WARC of a run, and writes its index at the end.
package struct ArchivedRun: RunStep {
    private let archive: WebArchive

    package init(_ archive: WebArchive) { self.archive = archive }

    package func check(_ run: RunDefinition, _ recorder: EventRecorder) throws(MirrorError) {
        try run.isDryRun ? archive.check() : archive.open()
    }

    package func end(_ driver: RunDriver, in mirror: borrowing MirrorFolder) {
        do throws(MirrorError) {
            try archive.close()
        } catch {
            driver.record(.note(error.message))
        }
    }
}
