// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// `demo`: the photo service inside Sluice.
struct DemoSource: SourceKind {
    static let names = ["demo"]

    init?(_ text: String) {
        guard text == "demo" else { return nil }
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        RecipeFeed(recipe: .demo, transfers: transfers, options: options)
    }
}
