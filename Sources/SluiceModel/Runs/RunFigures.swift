// SPDX-License-Identifier: MIT

/// The figures of a run that a report compares with those of earlier runs.
public struct RunFigures: Sendable, Hashable {
    /// The start time in seconds since 1970.
    public var startedAt: Int
    /// The duration in seconds.
    public var seconds: Double
    /// Photos done, kept from earlier runs, skipped and failed.
    public var done = 0, kept = 0, skipped = 0, failed = 0
    /// Thumbnails made.
    public var thumbs = 0
    /// Bytes of photos received.
    public var bytesReceived = 0
    /// CPU time of all cores, in seconds.
    public var cpu = 0.0
    /// The peak memory in bytes.
    public var peakMemory = 0
    /// The median and the 90th percentile of the time per photo, in seconds; `nil` if no photo was processed.
    public var medianTime: Double?, longTime: Double?
    /// The stage that limited the run.
    public var bottleneck: Bottleneck?

    /// Creates figures of zero.
    public init(startedAt: Int, seconds: Double) {
        (self.startedAt, self.seconds) = (startedAt, seconds)
    }
}

extension RunReport {
    /// The figures that the reports of later runs show next to their own.
    public var figures: RunFigures {
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
