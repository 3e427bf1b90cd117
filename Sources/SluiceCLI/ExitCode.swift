// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the command ends with; scripts rely on the numbers.
enum ExitCode: Sendable, Hashable {
    case done, bug, usage, itemsFailed, slower, feed, local, locked, damaged, limit
    case signal(Int32)

    /// Nobody read standard output to its end.
    static let brokenPipe = ExitCode.signal(SIGPIPE)

    var number: Int32 {
        switch self {
        case .done: 0
        case .bug: 1
        case .usage: 2
        case .itemsFailed, .slower: 3
        case .feed: 4
        case .local: 5
        case .locked: 6
        case .damaged: 7
        case .limit: 8
        case .signal(let number): 128 + number
        }
    }

    /// The numbers and what they mean, as help and the manual list them.
    static let meanings: [(numbers: String, meaning: String)] = [
        ("0", "Every selected photo is done"),
        ("1", "A bug of Sluice's: please report it"),
        ("2", "The command line asks for what cannot be"),
        ("3", "It ended, and some photos failed; or what `bench compare` compared became slower"),
        ("4", "The feed could not be read, or too much failed (--max-fail)"),
        ("5", "Local trouble: a full or read-only disk, no permission, too few files"),
        ("6", "Another run holds the mirror"),
        ("7", "A stored file or the ledger is damaged"),
        ("8", "A limit of yours stopped the run, and work remains"),
        ("130, 143, 129", "Stopped by Ctrl-C, SIGTERM or SIGHUP; all that was done is kept"),
    ]

    /// The end of a run that could not begin or go on.
    init(_ code: MirrorError.Code) {
        switch code {
        case .usage: self = .usage
        case .feed: self = .feed
        case .local: self = .local
        case .locked: self = .locked
        case .damaged: self = .damaged
        }
    }

    /// The end of a bench that could not begin or go on.
    init(_ code: BenchError.Code) {
        switch code {
        case .usage: self = .usage
        case .local: self = .local
        case .broken: self = .bug
        }
    }

    /// The end of a run that went its way: what stopped it counts first, then the feed, then the photos.
    init(_ summary: Summary) {
        switch summary.stop {
        case .signal(let number): self = .signal(number)
        case .local: self = .local
        case .damaged: self = .damaged
        case .limit: self = .limit
        case .failing: self = .feed
        case .requested: self = .brokenPipe
        case nil:
            if summary.causes[.internal] != nil {
                self = .bug
            } else if summary.failedPages > 0, summary.pages == 0 {
                self = .feed
            } else {
                self = summary.failedPages > 0 || summary.failed > 0 ? .itemsFailed : .done
            }
        }
    }
}
