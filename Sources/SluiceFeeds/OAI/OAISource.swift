// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// `oai:` followed by the address of an OAI-PMH repository, with its arguments such as `set` as the query.
struct OAISource: SingleFeedKind {
    private let address: String

    init?(_ text: String) throws(SourceError) {
        guard text.hasPrefix("oai:") else { return nil }
        address = String(text.dropFirst(4))
        guard let web = WebAddress(address), ["http", "https"].contains(web.scheme) else {
            throw SourceError("invalid source '\(text)': oai: needs the address of an OAI-PMH repository")
        }
        guard OAIRequest(address).listsRecords else {
            throw SourceError(
                "invalid source '\(text)': pictures are in replies to the verbs ListRecords and GetRecord")
        }
    }

    var trustedAddresses: [String] { [address] }

    /// A repository may link to pictures on any host.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = true
        return politeness
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        OAIFeed(root: address, transfers: transfers)
    }
}
