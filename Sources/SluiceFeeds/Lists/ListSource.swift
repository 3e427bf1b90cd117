// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// `-` for standard input, or the path of a file or pipe: a list of photos.
struct ListSource: SingleFeedKind {
    private let path: String

    var type: SourceType { .list }

    init?(_ text: String) throws(SourceError) {
        guard text == "-" || InputFile.exists(text) else { return nil }
        path = text
    }

    /// Names the list of a plan.
    init(planned path: String) { self.path = path }

    /// A list may name photos on any host.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = true
        return politeness
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        ListFeed(path, options: options.ownList)
    }
}
