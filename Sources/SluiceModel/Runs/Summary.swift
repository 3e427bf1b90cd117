// SPDX-License-Identifier: MIT

/// The result counts of a run.
public struct Summary: Sendable, Hashable {
    /// Pages loaded.
    public var pages = 0
    /// Pages that could not be loaded.
    public var failedPages = 0
    /// Items processed by this run.
    public var done = 0
    /// Items processed by this run with an original that existed.
    public var reused = 0
    /// Items kept from earlier runs.
    public var kept = 0
    /// Items skipped.
    public var skipped = 0
    /// Items failed.
    public var failed = 0
    /// Items skipped because they are copies of others, which the end of the run found.
    public var copies = 0
    /// Thumbnails created by this run.
    public var thumbs = 0
    /// Bytes of the originals downloaded by this run.
    public var bytesReceived = 0
    /// Announced bytes that were not downloaded, because the first bytes were enough to reject the file.
    public var bytesSaved = 0
    /// Items done with thumbnails of which the first bytes of the original sufficed.
    public var partial: Int { parts.values.reduce(0) { $0 + $1.items } }
    /// Announced bytes of these originals that were not downloaded.
    public var bytesUnneeded: Int { parts.values.reduce(0) { $0 + $1.bytesUnneeded } }
    /// Both counts by the part that sufficed.
    public var parts: [Receipt.Part: PartCount] = [:]
    /// Bytes of the thumbnails written by this run.
    public var thumbBytes = 0
    /// Items done or kept with a damaged file that was partly salvaged, or that lacks its end.
    public var salvaged = 0
    /// Those of them whose file lacks its end.
    public var incomplete = 0
    /// Items done or kept with an original that cannot be decoded, and so without thumbnails.
    public var undecodable = 0
    /// Those of them whose original exceeds a limit of the decode.
    public var overLimit = 0
    /// Harmless oddities in files.
    public var notes = 0
    /// The number of items and pages that ended with each cause.
    public var causes: [Cause: Int] = [:]
    /// The number of items that ended with `unsupported`, by the name of their format.
    public var unsupportedFormats: [String: Int] = [:]
    /// The failure of the first page that could not be loaded.
    public var pageFailure: Failure?
    /// The reason why the run stopped early, if it did.
    public var stop: StopReason?
    /// The wall-clock time from the first event to the last.
    public var duration = Duration.zero
    /// The peak memory of all processes of the run together, in bytes, sampled four times a second.
    public var peakMemory = 0

    /// How often a part of an original sufficed.
    public struct PartCount: Sendable, Hashable {
        /// The items.
        public var items: Int
        /// The announced bytes of their originals that were not downloaded.
        public var bytesUnneeded: Int

        package init(items: Int = 0, bytesUnneeded: Int = 0) {
            self.items = items
            self.bytesUnneeded = bytesUnneeded
        }
    }

    package init() {}

    /// The number of items with an outcome.
    public var ended: Int { done + kept + skipped + failed }

    /// Adds an event to the counts.
    package mutating func count(_ event: Event) {
        switch event {
        case .pageLoaded: pages += 1
        case .pageFailed(_, let failure):
            failedPages += 1
            causes[failure.cause, default: 0] += 1
            pageFailure = pageFailure ?? failure
        case .itemNoted: notes += 1
        case .itemEnded(_, let outcome): count(outcome)
        case .photosRemoved(let cause, let done, let kept): countRemoved(because: cause, done: done, kept: kept)
        case .stopping(let reason): stop = stop ?? reason
        default: break
        }
    }

    /// Counts photos as skipped that were counted as done or kept before.
    private mutating func countRemoved(because cause: Cause, done removed: Int, kept: Int) {
        // A photo of an earlier run that this one did not list has not been counted.
        let counted = min(kept, self.kept)
        done -= removed
        self.kept -= counted
        skipped += removed + counted
        if cause == .duplicate { copies += removed + kept }
        if removed + counted > 0 { causes[cause, default: 0] += removed + counted }
    }

    /// The unsupported formats by number, for example `5 tiff, 4 pdf`; `nil` if all files had supported formats.
    package var unsupportedText: String? {
        let sorted = unsupportedFormats.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.isEmpty ? nil : sorted.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    /// Writes the originals of which a part sufficed, by part, as members of an object.
    func writeParts(_ object: inout JSONWriter) {
        for part in Receipt.Part.allCases {
            guard let count = parts[part] else { continue }
            object.object(part.rawValue) { object in
                object.member("photos", count.items)
                object.member("bytes_unneeded", count.bytesUnneeded)
            }
        }
    }

    private mutating func count(_ part: Receipt.Part?, unneeded bytes: Int?) {
        guard let part, let bytes else { return }
        parts[part, default: PartCount()].items += 1
        parts[part, default: PartCount()].bytesUnneeded += bytes
    }

    private mutating func count(_ outcome: ItemOutcome) {
        switch outcome {
        case .done(let receipt):
            done += 1
            bytesReceived += receipt.bytesReceived ?? 0
            count(receipt.part, unneeded: receipt.bytesUnneeded)
            if receipt.original != nil, receipt.bytesReceived == nil { reused += 1 }
            let newThumbs = receipt.newThumbs
            thumbs += newThumbs.count
            thumbBytes.add(newThumbs.sum(\.file.bytes))
        case .kept: kept += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        }
        guard let failure = outcome.receipt.failure else { return }
        switch outcome.receipt {
        case let receipt where receipt.isUndecodable:
            undecodable += 1
            if failure.cause != .unsupported { overLimit += 1 }
        case let receipt where receipt.state == .done:
            salvaged += 1
            if failure.cause == .truncated { incomplete += 1 }
        default: causes[failure.cause, default: 0] += 1
        }
        if failure.cause == .unsupported, let format = failure.format { unsupportedFormats[format, default: 0] += 1 }
        bytesSaved += failure.savedBytes ?? 0
    }
}
