// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// `iiif:` followed by the address of a IIIF manifest or collection.
struct IIIFSource: SingleFeedKind {
    private let address: String

    init?(_ text: String) throws(SourceError) {
        guard text.hasPrefix("iiif:") else { return nil }
        address = String(text.dropFirst(5))
        guard let web = WebAddress(address), ["http", "https"].contains(web.scheme) else {
            throw SourceError(
                "invalid source '\(text)': iiif: needs the address of a manifest or collection"
            )
        }
    }

    var trustedAddresses: [String] { [address] }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        IIIFFeed(root: address, transfers: transfers)
    }
}
