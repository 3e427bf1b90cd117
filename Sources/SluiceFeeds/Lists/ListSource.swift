// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// `-`, or the path of a file or a pipe: a list of photos.
struct ListSource: SourceKind {
    private let path: String

    init?(_ text: String) throws(SourceError) {
        guard text == "-" || SourceFile.exists(text) else { return nil }
        path = text
    }

    /// A list names other people's pages.
    var manners: Manners {
        var manners = Manners()
        manners.keepsToRobots = true
        return manners
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        ListFeed(path, options: options.list)
    }
}
