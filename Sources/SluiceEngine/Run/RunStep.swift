// SPDX-License-Identifier: MIT

package import SluiceModel

/// A part of a run besides its items, for example its reports, its live gallery, or the removal of missing photos.
///
/// A run calls each part of its steps in their order. Those that a step does not define do nothing.
package protocol RunStep: Sendable {
    /// Prepares what the run needs; called while the mirror is locked, and before anything is stored in it.
    ///
    /// If it throws, the run does not begin.
    func check(_ run: RunDefinition, _ recorder: EventRecorder) throws(MirrorError)

    /// Prepares for the first item; an error stops the run.
    func begin(_ driver: RunDriver, in mirror: borrowing MirrorFolder) throws(MirrorError)

    /// Receives each event of the run.
    func observe(_ event: Event)

    /// Handles the items that the feed no longer lists; called once, after the run has read the whole feed.
    func handleMissingItems(_ driver: RunDriver) throws(MirrorError)

    /// Changes the mirror between the last commit and the manifest and gallery, also if the run was stopped.
    func finish(_ driver: RunDriver) async throws(MirrorError)

    /// Completes its work after the manifest and the gallery; problems are recorded as notes.
    func end(_ driver: RunDriver, in mirror: borrowing MirrorFolder)
}

extension RunStep {
    package func check(_ run: RunDefinition, _ recorder: EventRecorder) throws(MirrorError) {}
    package func begin(_ driver: RunDriver, in mirror: borrowing MirrorFolder) throws(MirrorError) {}
    package func observe(_ event: Event) {}
    package func handleMissingItems(_ driver: RunDriver) throws(MirrorError) {}
    package func finish(_ driver: RunDriver) async throws(MirrorError) {}
    package func end(_ driver: RunDriver, in mirror: borrowing MirrorFolder) {}
}
