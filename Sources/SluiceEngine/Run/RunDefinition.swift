// SPDX-License-Identifier: MIT

package import SluiceModel

/// Describes a run: where its items come from, what they are made from, which files it makes, and what follows it.
///
/// Each way to start a run is a function that makes this value; ``Run`` performs it.
package struct RunDefinition: Sendable {
    /// The content of the first event: source, output folder, and the number of items in flight.
    package var start: RunStart
    /// The source as the ledger records it, if that of ``start`` is only for display.
    package var recordedSource: String?
    /// The options; those of a feed have their defaults in runs without one.
    package var options: MirrorOptions
    package var intake: any Intake
    /// The input of each item; `nil` if the intake names it.
    package var input: @Sendable (Item) -> ItemInput?
    package var layout = FileLayout.mirror
    /// Chooses the rendition of each photo.
    package var choice: VariantChoice
    /// Files that a verification found damaged, which are made again.
    package var broken: TextSet = []
    /// The open feed, whose pool and transfers the run uses; `nil` for a run without a feed.
    package var session: FeedSession?
    /// The maximum number of concurrent decodes.
    package var jobs = Machine.cores
    /// The number of items that are committed together.
    package var batchSize = CommitWriter.batchSize
    /// Whether the caller flushes all files after the run, so that commits need not.
    package var isFlushedLater = false
    /// Whether this process computes the digests of the files; otherwise a file is hashed before it shares storage.
    package var believesDigests = true
    /// What the run does besides its items.
    package var steps: [any RunStep] = []
    /// The longest time that an item may hold its slot; `nil` for no limit.
    package var watchLimit: Duration?
    /// Notes to report when the run begins.
    package var notes: [String] = []

    /// Identifies the options that determine which files the run makes.
    package var fingerprint: String
    /// Identifies the options that determine which photos are on which page.
    package var pagingFingerprint = ""
    /// Whether the run takes its items from the ledger, so that a mirror must exist.
    package var requiresMirror = false
    /// Whether the run covers the whole feed.
    package var wantsAll = false

    /// The options to list in the report.
    package var settings: [RunReport.Setting] = []
    /// The settings that advice on performance refers to.
    package var tuning = TuningContext()
    /// The labels of all metrics, which tell concurrent runs apart.
    package var metricsLabels: KeyValuePairs<String, String> = [:]
    /// Receives the work of a dry run; `nil` for a run that does it.
    var list: (@Sendable (PlannedWork) -> Bool)?
    /// Whether nothing is transferred or stored.
    var isDryRun: Bool { list != nil }

    package init(
        start: RunStart, options: MirrorOptions, intake: any Intake, input: ItemInput?, choice: VariantChoice,
        fingerprint: String
    ) {
        (self.start, self.options, self.intake) = (start, options, intake)
        self.input = { _ in input }
        self.choice = choice
        self.fingerprint = fingerprint
    }
}

/// What a run gives to the function that defines it.
package struct RunContext: Sendable {
    /// The run's token, the ancestor of every item's token.
    package let token: CancellationToken
    /// The limit of open files.
    package let descriptors: DescriptorLimit
}

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

/// Supplies the items of a run, for example from a feed or from the ledger.
package protocol Intake: Sendable {
    /// Whether items that fail keep the receipts of earlier runs.
    var keepsEarlierReceipts: Bool { get }

    /// Submits all items to the driver. Returns whether it read a feed to its end.
    ///
    /// It waits while the driver has no capacity, and ends early when ``RunDriver/intakeToken`` is cancelled.
    func submitItems(to driver: RunDriver) async -> Bool
}
