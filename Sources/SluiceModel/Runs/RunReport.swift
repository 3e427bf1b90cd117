// SPDX-License-Identifier: MIT

/// The results and costs of a run: the content of `report.json` and `report.html`, documented in
/// `Documentation/report.md`.
package struct RunReport: Sendable {
    /// The file of a mirror that contains the report of the last run.
    package static let jsonFile = "report.json"
    /// The page of a mirror that shows the report of the last run; the gallery links to it.
    package static let pageFile = "report.html"

    /// The parameters of the run.
    package var start: RunStart
    /// The user's command, without secrets; empty if a program started the run.
    package var command: [String] = []
    /// The start time in seconds since 1970.
    package var startedAt: Int
    /// The options in effect, by flag name, without secrets.
    package var settings: [Setting] = []
    /// The figures of the mirror's earlier runs, newest first, which the page shows next to this run's.
    package var earlier: [RunFigures] = []
    /// The mirror's title, the same as the gallery's; `nil` makes one from the source.
    package var title: String?
    /// Whether the run wrote a gallery, to which the page links.
    package var hasGallery = false
    package var summary = Summary()
    /// Measurements over time, in intervals of equal length.
    package var timeline: [Interval] = []
    /// The durations of each phase, over all items that had it.
    package var phases: [(phase: ItemPhase, times: Histogram)] = []
    /// The durations of items, from getting a slot to the outcome.
    package var items = Histogram()
    /// The hosts that sent the most data, in descending order.
    package var hosts: [Host] = []
    /// The number of all other hosts, and their sums.
    package var otherHosts: (count: Int, sum: Host)?
    /// The statements about the use of the mirror's photos, not only of those of this run.
    package var usage = UsageSummary()
    /// The first failed photos, at most ``maxFailures``.
    package var failures: [FailedItem] = []
    /// The utilization of each stage.
    package var stages: [StageUtilization] = []
    /// The main bottleneck; `nil` if the run was too short to determine one.
    package var finding: Finding?
    /// The seconds for which each bottleneck limited the run.
    package var bottleneckSeconds: [Bottleneck: Double] = [:]
    package var cost = Cost()
    /// The versions of Sluice and its libraries.
    package var versions: [LibraryVersion] = []

    /// What a forecast expected of the run; `nil` for a run without one.
    package var forecast: Estimate?

    package init(start: RunStart, startedAt: Int) {
        (self.start, self.startedAt) = (start, startedAt)
    }

    /// The expected totals of a run.
    package struct Estimate: Sendable, Hashable {
        package var photos: Int
        package var bytes: Int
        /// The range that probably has the number of bytes.
        package var bytesRange: ClosedRange<Int>
        package var seconds: Double

        package init(photos: Int, bytes: Int, bytesRange: ClosedRange<Int>, seconds: Double) {
            (self.photos, self.bytes, self.bytesRange, self.seconds) = (photos, bytes, bytesRange, seconds)
        }
    }

    package struct Setting: Sendable, Hashable {
        /// The flag's name, without dashes.
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    /// Measurements of one interval of the run.
    package struct Interval: Sendable, Hashable {
        /// The start, in seconds since the run started.
        package var begin = 0.0
        package var length = 0.0
        package var done = 0
        /// Photos skipped or failed; photos kept from earlier runs do not count.
        package var others = 0
        /// Bytes received, for pages and photos.
        package var bytes = 0
        /// Items in flight, on average.
        package var inFlight = 0.0
        /// Items waiting for a slot, on average.
        package var waitingForSlot = 0.0
        /// Items waiting for a decoder or for memory, on average.
        package var waitingForDecoder = 0.0
        package var decoding = 0.0
        /// Items waiting for the commit, on average.
        package var awaitingCommit = 0.0
        /// The share of the time in which the commit writer was active.
        package var writing = 0.0
        /// The share of the time spent waiting for a page.
        package var feedWait = 0.0
        /// The maximum number of paused hosts.
        package var pausedHosts = 0
        /// The bottleneck for most of the interval.
        package var bottleneck: Bottleneck?

        package init() {}
    }

    /// The totals of one host.
    package struct Host: Sendable, Hashable {
        package var name: String
        package var done = 0
        package var failed = 0
        /// Failed attempts that were followed by a retry.
        package var retried = 0
        /// The number of times that the host was paused.
        package var paused = 0
        /// Bytes of the photos done.
        package var bytes = 0

        package init(name: String) {
            self.name = name
        }
    }

    /// The maximum number of failed photos that a report lists.
    package static let maxFailures = 100

    package struct FailedItem: Sendable, Hashable {
        /// The photo's number in the mirror.
        package var seq: Int
        /// The photo's key in the feed.
        package var id: String
        package var failure: Failure

        package init(seq: Int, id: String, failure: Failure) {
            (self.seq, self.id, self.failure) = (seq, id, failure)
        }
    }

    /// The utilization of a stage over the whole run.
    package struct StageUtilization: Sendable, Hashable {
        /// The stage's name for display.
        package var name: String
        /// The average number of items in the stage.
        package var mean: Double
        /// The highest average in an interval of the report.
        package var peak: Double
        /// The stage's capacity; `nil` for a queue.
        package var capacity: Int?

        package init(name: String, mean: Double, peak: Double, capacity: Int?) {
            (self.name, self.mean, self.peak, self.capacity) = (name, mean, peak, capacity)
        }
    }

    /// The main bottleneck of a run, and advice.
    package struct Finding: Sendable, Hashable {
        package var bottleneck: Bottleneck
        /// The share of the time in which it limited the run.
        package var share: Double
        /// The advice for the user, as a sentence.
        package var sentence: String
        /// The flag that may help, with dashes; `nil` if no flag would.
        package var flag: String?

        package init(_ bottleneck: Bottleneck, share: Double, sentence: String, flag: String?) {
            (self.bottleneck, self.share, self.sentence, self.flag) = (bottleneck, share, sentence, flag)
        }
    }

    /// The machine resources used by a run.
    package struct Cost: Sendable, Hashable {
        /// CPU time of all cores, in seconds.
        package var cpu = 0.0
        package var cores = 1
        /// The peak memory of all processes of the run together, in bytes.
        package var peakMemory = 0
        /// The memory limit for items in flight, in bytes.
        package var memoryBudget: Int?

        package init() {}
    }
}

/// The figures of a run that a report compares with those of earlier runs.
package struct RunFigures: Sendable, Hashable {
    /// The start time in seconds since 1970.
    package var startedAt: Int
    package var seconds: Double
    /// Photos done, kept from earlier runs, skipped and failed.
    package var done = 0, kept = 0, skipped = 0, failed = 0
    package var thumbs = 0
    package var bytesReceived = 0
    /// CPU time of all cores, in seconds.
    package var cpu = 0.0
    /// The peak memory in bytes.
    package var peakMemory = 0
    /// The median and the 90th percentile of the time per photo, in seconds; `nil` if no photo was processed.
    package var medianTime: Double?, longTime: Double?
    /// The stage that limited the run.
    package var bottleneck: Bottleneck?

    package init(startedAt: Int, seconds: Double) {
        (self.startedAt, self.seconds) = (startedAt, seconds)
    }
}

extension RunReport {
    /// The figures that the reports of later runs show next to their own.
    package var figures: RunFigures {
        var figures = RunFigures(startedAt: startedAt, seconds: summary.duration.inSeconds)
        (figures.done, figures.kept) = (summary.done, summary.kept)
        (figures.skipped, figures.failed) = (summary.skipped, summary.failed)
        (figures.thumbs, figures.bytesReceived) = (summary.thumbs, summary.bytesReceived)
        (figures.cpu, figures.peakMemory) = (cost.cpu, cost.peakMemory)
        figures.medianTime = items.quantile(0.5)?.inSeconds
        figures.longTime = items.quantile(0.9)?.inSeconds
        figures.bottleneck = finding?.bottleneck
        return figures
    }
}

/// The name and version of a C library, as reported by the library itself.
public struct LibraryVersion: Sendable, Hashable {
    /// The library's name.
    public var name: String
    /// Its version.
    public var version: String

    package init(_ name: String, _ version: String) {
        self.name = name
        self.version = version
    }
}

/// A run recorded in a mirror's ledger.
public struct PastRun: Sendable, Hashable, Identifiable {
    /// The run's number in its mirror, from 1.
    public var id: Int
    /// The SOURCE as the user wrote it.
    public var source: String
    /// The feed's name.
    public var feed: String
    /// The command's arguments, starting with the subcommand and without secrets; empty if a program started the run.
    public var words: [String]
    /// The start time in seconds since 1970.
    public var started: Int
    /// The end time in seconds since 1970; `nil` while the run is active, or if it was killed.
    public var ended: Int?

    package init(id: Int, source: String, feed: String, words: [String], started: Int, ended: Int?) {
        (self.id, self.source, self.feed, self.words) = (id, source, feed, words)
        (self.started, self.ended) = (started, ended)
    }
}

extension PastRun {
    /// Whether the run read this feed.
    package func reads(_ feed: String) -> Bool { SourceSet(text: self.feed).members.contains { $0 === feed } }

    /// The SOURCE, or the first of several with the number of others.
    package var shownSource: String { SourceSet(text: source).shown }
}
