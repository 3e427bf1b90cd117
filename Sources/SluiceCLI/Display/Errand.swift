// SPDX-License-Identifier: MIT

internal import Sluice

/// What a run is for, and the few words in which its display differs for that.
enum Errand: Sendable, Hashable {
    /// A feed's photos come to the disk.
    case mirror
    /// Files on the disk get thumbnails.
    case thumbs
    /// What is broken in a mirror is fetched and made again.
    case repair
    /// What failed is tried again.
    case retry
    /// What another tool downloaded is taken up.
    case adopt

    /// The line that a log begins with.
    func beginning(_ start: RunStart) -> String {
        switch self {
        case .mirror: "mirroring \(escaped(start.source)) into \(escaped(start.folder))"
        case .thumbs: "thumbnails of \(escaped(start.source)) into \(escaped(start.folder))"
        case .repair: "repairing what is of \(escaped(start.source)) in \(escaped(start.folder))"
        case .adopt: "adopting what is of \(escaped(start.source)) into \(escaped(start.folder))"
        case .retry: "trying again what failed of \(escaped(start.source)) in \(escaped(start.folder))"
        }
    }

    /// Until anything is listed.
    func waiting(page: Int) -> String {
        switch self {
        case .mirror: "waiting for page \(max(1, page))"
        case .repair, .retry: "waiting for the ledger"
        case .adopt: "looking for photos' files"
        case .thumbs: "looking through the folders"
        }
    }

    /// A run that had nothing to take.
    var nothingListed: String {
        switch self {
        case .mirror: "the feed lists no photos"
        case .thumbs: "no photos there"
        case .repair: "nothing to repair"
        case .adopt: "nothing to adopt: no file is one of a photo that has need of it"
        case .retry: "nothing failed so: sluice explain tells what did"
        }
    }

    /// What an earlier run has done.
    var nothingToDo: String {
        switch self {
        case .mirror: "nothing to download"
        case .thumbs, .repair, .retry, .adopt: "nothing to do"
        }
    }

    /// Whether pages and transfers mean anything to whoever watches.
    var isRemote: Bool { self != .thumbs && self != .adopt }

    /// Whether a feed is walked page by page.
    var isWalk: Bool { self == .mirror }
}
