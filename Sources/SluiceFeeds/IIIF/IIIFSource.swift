// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// `iiif:` and the address of a manifest or a collection.
struct IIIFSource: SourceKind {
    private let address: String

    init?(_ text: String) throws(SourceError) {
        guard text.hasPrefix("iiif:") else { return nil }
        address = String(text.dropFirst(5))
        guard let web = WebAddress(address), ["http", "https"].contains(web.scheme) else {
            throw SourceError(
                "\(Userinfo.split(text).url) needs the address of a manifest or a collection: iiif:https://example.org/manifest"
            )
        }
    }

    var homes: [String] { [address] }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        IIIFFeed(root: address, transfers: transfers, options: options)
    }
}
