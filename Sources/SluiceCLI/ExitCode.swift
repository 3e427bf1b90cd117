// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench
internal import SluiceEngine
internal import SluiceModel
internal import SluiceSystem

/// The exit code of the command.
///
/// Scripts rely on the numbers.
enum ExitCode: Sendable, Hashable {
    case done, bug, usage, itemsFailed, slower, feed, local, locked, damaged, limit, tryAgain
    case signal(Int32)

    /// The reader of standard output has closed it.
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
        case .tryAgain: 75
        case .signal(let number): 128 + number
        }
    }

    /// The numbers and their meanings, as listed in help and the manual.
    static let meanings: [(numbers: String, meaning: String)] = [
        ("0", "Success: every selected photo is done"),
        ("1", "Bug in Sluice; please report it"),
        ("2", "Invalid command line"),
        ("3", "Some photos failed, shards are missing, or `bench compare` got slower"),
        ("4", "The feed cannot be read, or too many photos failed (--max-fail)"),
        ("5", "Local problem: full or read-only disk, permissions, open-file limit"),
        ("6", "Another run is using the mirror"),
        ("7", "A stored file or the ledger is damaged"),
        ("8", "A limit that you set stopped the run, and work remains"),
        ("75", "`work`: the shard is not finished; run it again"),
        ("130, 143, 129", "Interrupted by Ctrl-C, SIGTERM or SIGHUP; finished work is kept"),
    ]

    /// The exit code of a run that could not start or continue.
    init(_ code: MirrorError.Code) {
        switch code {
        case .usage: self = .usage
        case .feed: self = .feed
        case .local: self = .local
        case .locked: self = .locked
        case .damaged: self = .damaged
        }
    }

    /// The exit code of a benchmark that could not start or continue.
    init(_ code: BenchError.Code) {
        switch code {
        case .usage: self = .usage
        case .local: self = .local
        case .broken: self = .bug
        }
    }

    /// The exit code of a completed run: a stop reason takes precedence, then failed pages, then failed photos.
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

/// The error for an invalid command line.
struct UsageError: Error, Hashable {
    /// The message, safe to print.
    var message: String
    /// A suggestion, safe to print.
    var hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}
