// SPDX-License-Identifier: MIT

internal import Sluice

/// A line that stays: what happened and is worth telling.
struct News: Sendable, Hashable {
    /// Who wants to know it.
    enum Weight: Int, Sendable, Comparable {
        /// Whoever asks for it: each photo's end, and each attempt that failed.
        case detail
        /// Whoever reads a log: each page, and what is odd but does no harm.
        case page
        /// Whoever watches: each photo that failed.
        case item
        /// Everybody: what concerns the whole run.
        case run

        static func < (one: Weight, other: Weight) -> Bool { one.rawValue < other.rawValue }
    }

    var weight: Weight
    var text: String

    /// What is worth telling of an event; `nil` for most.
    init?(_ event: Event, style: Style, errand: Errand = .mirror) {
        switch event {
        case .runStarted(let start):
            self.init(.page, errand.beginning(start))
        case .pageLoaded where !errand.isWalk: return nil
        case .pageLoaded(let number, let photos, let total):
            let of = total.map { " (the feed has \($0))" } ?? ""
            self.init(.page, "page \(number): \(counted(photos, "photo"))\(of)")
        case .pageFailed(let number, let failure):
            self.init(.run, style.paint("page \(number) could not be had:", .red) + " \(Self.words(failure))")
        case .fileFound(let file):
            self.init(file.verdict == .ambiguous ? .item : .page, line(of: file))
        case .itemEnded(let item, .failed(let receipt)):
            let reason = receipt.failure.map(Self.words) ?? "no reason is known"
            self.init(.item, style.paint("failed:", .red) + " \(name(of: item)): \(reason)")
        case .itemEnded(let item, .done(let receipt)):
            guard let failure = receipt.failure else { return nil }
            self.init(.item, style.paint("salvaged:", .yellow) + " \(name(of: item)): \(Self.words(failure))")
        case .itemNoted(let item, let text):
            self.init(.page, "note: \(name(of: item)): \(escaped(text))")
        case .hostPaused(let host, let duration, let failure) where duration >= .seconds(1):
            let time = "\(Int(seconds(duration).rounded(.up))) s"
            self.init(.item, "host \(escaped(host)) paused \(time): \(Self.words(failure))")
        case .hostGivenUp(let host, let failure):
            self.init(.item, style.paint("host \(escaped(host)) given up:", .red) + " \(Self.words(failure))")
        case .note(let text): self.init(.item, "note: \(escaped(text))")
        // The command itself asks only when nobody reads its output any more: then silence is what is wanted.
        case .stopping(.requested): return nil
        case .stopping(let reason): self.init(.run, Self.words(reason))
        default: return nil
        }
    }

    /// What is worth telling of an event to who wants to know everything.
    init?(detailOf event: Event) {
        switch event {
        case .itemEnded(let item, .done(let receipt)):
            let file = (receipt.original ?? receipt.thumbs.first?.file).map {
                ": \(escaped($0.path)), \(byteText($0.bytes))"
            }
            self.init(.detail, "done: \(name(of: item))\(file ?? "")")
        case .itemEnded(let item, .kept): self.init(.detail, "kept: \(name(of: item))")
        case .itemEnded(let item, .skipped(let receipt)):
            self.init(.detail, "skipped: \(name(of: item))\(receipt.failure.map { ": \(Self.words($0))" } ?? "")")
        case .itemRetried(let item, let attempt, let failure, let delay):
            let words = "attempt \(attempt) of \(name(of: item)): \(Self.words(failure))"
            self.init(.detail, "\(words); again in \(timeText(delay))")
        case .widthChanged(let width, _): self.init(.detail, "\(width) photos at once from now on")
        default: return nil
        }
    }

    init(_ weight: Weight, _ text: String) {
        self.weight = weight
        self.text = text
    }

    /// `http-404: Not Found, at https://…`.
    private static func words(_ failure: Failure) -> String {
        let place = failure.finalURL.map { ", at \(escaped($0))" } ?? ""
        return escaped(failure.description) + place
    }

    /// What stops the run, and what the user may do meanwhile.
    private static func words(_ reason: StopReason) -> String {
        switch reason {
        case .signal: "stopping when what is under way is done; once more ends at once"
        case .requested: "stopping"
        case .limit(let words), .failing(let words): "stopping: \(escaped(words))"
        // The cause is `disk`, which the words say better.
        case .local(let failure), .damaged(let failure):
            "stopping: \(escaped(failure.detail.isEmpty ? failure.cause.name : failure.detail))"
        }
    }
}
