// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// The address of an RSS or Atom feed, or the path of a file with one.
struct SyndicationSource: SourceKind {
    private let place: SyndicationFeed.Place

    init?(_ text: String) throws(SourceError) {
        if let address = WebAddress(text), ["http", "https"].contains(address.scheme) {
            place = .address(text)
        } else if SourceFile.isMarkup(text) {
            place = .file(text)
        } else {
            return nil
        }
    }

    var homes: [String] {
        if case .address(let text) = place { [text] } else { [] }
    }

    /// A feed's pictures may lie with anybody.
    var manners: Manners {
        var manners = Manners()
        manners.keepsToRobots = true
        return manners
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        SyndicationFeed(place: place, transfers: transfers, options: options)
    }
}
