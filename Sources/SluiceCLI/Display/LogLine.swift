// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// A permanent line of output about an event.
struct LogLine: Sendable, Hashable {
    /// The importance of a line, in ascending order.
    enum Importance: Int, Sendable, Comparable {
        /// The result of a photo, or a failed attempt: shown only with `--verbose`.
        case detail
        /// A loaded page, or a harmless oddity: shown in logs.
        case info
        /// A failed photo, or a problem with a host: shown in logs and on terminals.
        case warning
        /// A message about the whole run: always shown.
        case essential

        static func < (one: Importance, other: Importance) -> Bool { one.rawValue < other.rawValue }
    }

    /// The results of photos that deserve a line.
    enum Result: Hashable {
        case failed
        case salvaged
        /// The file lacks its end.
        case incomplete
        case undecodable

        /// `nil` for the result of a photo that is complete, or skipped.
        init?(_ outcome: ItemOutcome) {
            switch outcome {
            case .failed: self = .failed
            case .done(let receipt) where receipt.failure != nil:
                let isIncomplete = receipt.failure?.cause == .truncated
                self = receipt.isUndecodable ? .undecodable : isIncomplete ? .incomplete : .salvaged
            default: return nil
            }
        }

        /// The first words of the line.
        func painted(_ style: Style) -> String {
            switch self {
            case .failed: style.paint("failed:", .red)
            case .incomplete: style.paint("incomplete:", .yellow)
            case .salvaged: style.paint("salvaged:", .yellow)
            case .undecodable: "kept without a thumbnail:"
            }
        }
    }

    var importance: Importance
    var text: String

    /// The line for an event; `nil` for most events.
    init?(_ event: Event, style: Style, purpose: RunPurpose = .mirror, isDryRun: Bool = false) {
        switch event {
        case .runStarted(let start):
            self.init(.info, purpose.startLine(start))
        case .pageLoaded where !purpose.readsPages: return nil
        case .pageLoaded(let number, let photos, let total):
            let feedSize = total.map { " (the feed has \($0))" } ?? ""
            self.init(.info, "page \(number): \(counted(photos, "photo"))\(feedSize)")
        case .pageFailed(let number, let failure):
            let isSentence = failure.detail.hasPrefix("cannot ")
            // A source that cannot be opened has no page.
            let text = isSentence ? escaped(failure.detail) + Self.text(of: failure.hint) : Self.text(of: failure)
            self.init(
                .essential, isSentence ? text : style.paint("cannot load page \(number):", .red) + " \(text)")
        case .fileFound(let file):
            self.init(file.verdict == .ambiguous ? .warning : .info, description(of: file))
        case .itemEnded(let item, let outcome): self.init(outcome, of: item, style: style)
        case .itemNoted(let item, let text):
            self.init(.info, "note: \(name(of: item)): \(escaped(text))")
        case .hostGivenUp(let host, let failure):
            self.init(.warning, style.paint("host \(escaped(host)) given up:", .red) + " \(Self.text(of: failure))")
        // A dry run notes work that it does not do.
        case .note(let text, let hint):
            self.init(.warning, "\(isDryRun ? "dry run" : "note"): \(escaped(text))\(Self.text(of: hint))")
        // The command itself requests a stop only if the reader of its output is gone: no message is needed.
        case .stopping(.requested): return nil
        case .stopping(let reason): self.init(.essential, Self.text(of: reason))
        default: return nil
        }
    }

    /// The line for a photo's result; `nil` if the photo is complete or was skipped.
    init?(_ outcome: ItemOutcome, of item: Item, style: Style) {
        guard let result = Result(outcome) else { return nil }
        let failure = outcome.receipt.failure
        var reason = failure.map(Self.text) ?? "unknown reason"
        var importance = Importance.warning
        if result == .undecodable, let failure {
            // A user may want to know at once which options would make the thumbnails.
            if let options = failure.cause.remedy.options {
                if failure.hint == nil { reason += "; use \(options) for a thumbnail" }
            } else if !failure.detail.contains(CommandFlag.allowFormat.rawValue) {
                importance = .detail
            }
        }
        self.init(importance, "\(result.painted(style)) \(name(of: item)): \(reason)")
    }

    /// The additional line for an event with `--verbose`.
    init?(detailOf event: Event) {
        switch event {
        case .itemEnded(let item, .done(let receipt)):
            let file = (receipt.original ?? receipt.thumbs.first?.file).map {
                ": \(escaped($0.path)), \(byteText($0.bytes))"
            }
            self.init(.detail, "done: \(name(of: item))\(file ?? "")")
        case .itemEnded(let item, .kept): self.init(.detail, "kept: \(name(of: item))")
        case .itemEnded(let item, .skipped(let receipt)):
            self.init(.detail, "skipped: \(name(of: item))\(receipt.failure.map { ": \(Self.text(of: $0))" } ?? "")")
        case .itemRetried(let item, let attempt, let failure, let delay):
            let text = "attempt \(attempt) of \(name(of: item)): \(Self.text(of: failure))"
            self.init(.detail, "\(text); retrying in \(timeText(delay))")
        case .concurrencyChanged(let width, _): self.init(.detail, "concurrency is now \(width)")
        default: return nil
        }
    }

    /// The line for one or more pauses of a host, and the latest reason.
    init(pauseOf host: String, count: Int, time: Duration, because failure: Failure) {
        let time = "\(Int(rounding: seconds(time), .up)) s"
        let duration = count == 1 ? time : "\(count) times, \(time) in all"
        self.init(.warning, "host \(escaped(host)) paused \(duration): \(Self.text(of: failure))")
    }

    init(_ importance: Importance, _ text: String) {
        self.importance = importance
        self.text = text
    }

    /// `http-404: Not Found, at https://…`.
    private static func text(of failure: Failure) -> String {
        let place = failure.finalURL.map { ", at \(escaped($0))" } ?? ""
        return escaped(failure.description) + place + text(of: failure.hint)
    }

    /// The message for a stop reason, and the options of the user.
    private static func text(of reason: StopReason) -> String {
        switch reason {
        case .signal: "finishing photos in flight; press Ctrl-C again to stop now"
        case .requested: "stopping"
        case .limit(let text, let hint), .failing(let text, let hint):
            "stopping: \(escaped(text))\(Self.text(of: hint))"
        // The detail is more specific than the cause `disk`.
        case .local(let failure), .damaged(let failure):
            "stopping: \(escaped(failure.detail.isEmpty ? failure.cause.name : failure.detail))"
                + Self.text(of: failure.hint)
        }
    }

    private static func text(of hint: Hint?) -> String { hint.map { "; \(escaped($0.text))" } ?? "" }
}
