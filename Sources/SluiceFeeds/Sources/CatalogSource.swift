// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// `catalog:https://music.example/catalog.json`: a JSON object of named lists at an address that the user gives.
struct CatalogSource: SingleFeedKind {
    private let source: RecipeSource

    init?(_ text: String) throws(SourceError) {
        guard text == "catalog" || text.hasPrefix("catalog:") else { return nil }
        let address = String(text.dropFirst(8))
        guard let url = WebAddress(address), ["http", "https"].contains(url.scheme), !url.host.isEmpty else {
            throw SourceError("catalog needs an address, for example catalog:https://music.example/catalog.json")
        }
        source = try RecipeSource(BuiltInRecipes.catalog(at: address), "")
    }

    var trustedAddresses: [String] { source.trustedAddresses }
    var politeness: Politeness { source.politeness }
    var fingerprint: String { source.fingerprint }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        try source.feed(through: transfers, options: options)
    }
}
