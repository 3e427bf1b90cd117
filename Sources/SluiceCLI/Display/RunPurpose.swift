// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// The purpose of a run, and the texts of the display that depend on it.
enum RunPurpose: Sendable, Hashable {
    /// Download the photos of a feed.
    case mirror
    /// Make thumbnails of local files.
    case thumbs
    /// Download or recreate the broken files of a mirror.
    case repair
    case retry
    case adopt
    /// Download one shard of a plan.
    case work
    /// Join the shards of a plan.
    case merge

    /// The first line of a log.
    func startLine(_ start: RunStart) -> String {
        switch self {
        case .mirror: "mirroring \(escaped(start.source)) into \(escaped(start.folder))"
        case .thumbs: "making thumbnails of \(escaped(start.source)) in \(escaped(start.folder))"
        case .repair: "repairing photos of \(escaped(start.source)) in \(escaped(start.folder))"
        case .adopt: "adopting photos of \(escaped(start.source)) into \(escaped(start.folder))"
        case .work: "working on photos of \(escaped(start.source)) in \(escaped(start.folder))"
        case .merge: "merging photos of \(escaped(start.source)) into \(escaped(start.folder))"
        case .retry: "retrying failed photos of \(escaped(start.source)) in \(escaped(start.folder))"
        }
    }

    /// The text of the display before the first photo is known.
    func waitingText(page: Int) -> String {
        switch self {
        case .mirror: "waiting for page \(max(1, page))"
        case .repair, .retry: "waiting for the ledger"
        case .adopt: "searching for photo files"
        case .thumbs: "searching the folders"
        case .work, .merge: "waiting for the plan"
        }
    }

    /// The summary of a run that found no photos.
    var nothingListed: String {
        switch self {
        case .mirror: "no photos: the feed lists none, or the options select none"
        case .thumbs: "no photos found"
        case .repair: "nothing to repair"
        case .work: "the shard has no photos"
        case .merge: "the plan has no photos"
        case .adopt: "nothing to adopt: no file matches a missing photo"
        case .retry: "no photos failed with these causes; sluice explain lists the causes"
        }
    }

    /// The start of the summary of a run that found all photos done.
    var nothingToDo: String {
        switch self {
        case .mirror: "nothing to download"
        case .thumbs, .repair, .retry, .adopt, .work, .merge: "nothing to do"
        }
    }

    /// The counts of a dry run's work, for example `3 to download`.
    func work(of summary: Summary) -> [String] {
        let (fetched, made) = (summary.causes[.deferred] ?? 0, "\(summary.done) to process")
        return switch self {
        case .thumbs: [made]
        case .adopt: ["\(fetched) to import"]
        default: ["\(fetched) to download"] + (summary.done > 0 ? [made] : [])
        }
    }

    /// Whether the run downloads photos, so that transfer rates are worth showing.
    var downloads: Bool { ![.thumbs, .adopt, .merge].contains(self) }

    var readsPages: Bool { self == .mirror }
}
