// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A feed that a program supplies with its own code: `program:NAME` in the records of a mirror.
///
/// Only that program can read the feed. For the command it has no pages, so that a mirror of it can still be retried,
/// verified and repaired.
struct ProgramSource: SingleFeedKind {
    private static let prefix = "program:"

    private let text: String
    private let feed: (any Feed)?

    var type: SourceType { .program }

    init?(_ text: String) {
        guard text.utf8.starts(with: Self.prefix.utf8) else { return nil }
        self.text = text
        feed = nil
    }

    init(_ feed: any Feed) {
        text = Self.text(of: feed)
        self.feed = feed
    }

    /// The SOURCE argument that stands for a feed.
    static func text(of feed: any Feed) -> String { prefix + feed.name }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed { feed ?? UnreadableFeed(text: text) }

    /// A feed of a program that is not this one.
    private struct UnreadableFeed: Feed {
        let text: String

        var name: String { String(text.dropFirst(ProgramSource.prefix.count)) }
        let defaultVariant = ""

        func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) throws(Failure) -> Page {
            throw Failure(.policy, "cannot read '\(text)' again: only the program that listed these photos can")
        }
    }
}
