// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// `catalog:https://music.example/catalog.json`: one object of named lists, at an address of the user's.
struct CatalogSource: SourceKind {
    private let source: RecipeSource

    init?(_ text: String) throws(SourceError) {
        guard text == "catalog" || text.hasPrefix("catalog:") else { return nil }
        let address = String(text.dropFirst(8))
        guard let url = WebAddress(address), ["http", "https"].contains(url.scheme), !url.host.isEmpty else {
            throw SourceError("catalog needs an address behind it, as in: catalog:https://music.example/catalog.json")
        }
        source = try RecipeSource(BuiltIn.catalog(at: address), "")
    }

    var homes: [String] { source.homes }
    var manners: Manners { source.manners }
    var fingerprint: String { source.fingerprint }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        try source.feed(through: transfers, options: options)
    }
}
