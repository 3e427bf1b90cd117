// SPDX-License-Identifier: MIT

package import SluiceLedger
internal import SluiceModel
package import SluiceStore

/// Opens the WARC of a run, and writes its index at the end.
package struct ArchivedRun: RunObserver {
    private let archive: WebArchive

    package init(_ archive: WebArchive) { self.archive = archive }

    package func begin(_ run: RunDefinition, _ recorder: EventRecorder) throws(MirrorError) {
        try run.isDryRun ? archive.check() : archive.open()
    }

    package func end(_ recorder: EventRecorder, in store: any Store, _ ledger: Ledger, title: String) {
        do throws(MirrorError) {
            try archive.close()
        } catch {
            recorder.record(.note(error.message))
        }
    }
}
