// SPDX-License-Identifier: MIT

package import SluiceModel
internal import SluiceTransfer

/// A SOURCE that cannot be opened, among others that can: its first page reports why.
struct UnreadableSource: SingleFeedKind {
    private let error: SourceError

    var type: SourceType { .unreadable }

    init(_ error: SourceError) { self.error = error }

    /// No argument is of this kind.
    init?(_ text: String) { nil }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed { UnreadableFeed(error) }
}

/// A feed without pages, because its source cannot be opened.
package struct UnreadableFeed: Feed {
    package let name = "unreadable"
    package let defaultVariant = ""
    private let error: SourceError

    /// Creates the feed of a source that this error concerns.
    package init(_ error: SourceError) { self.error = error }

    package func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        throw Failure(error.isLocal ? .disk : .feedParse, error.message, hint: error.hint)
    }
}
