// SPDX-License-Identifier: MIT

public import SluiceTransfer

/// What a SOURCE argument names.
public enum Source: Sendable, Hashable {
    /// The photo service inside Sluice.
    case demo

    /// Reads a SOURCE argument; `nil` for what this version does not know.
    public init?(_ text: String) {
        guard text == "demo" else { return nil }
        self = .demo
    }

    /// What a SOURCE may be, for messages.
    public static let known = ["demo"]

    /// Opens the feed.
    public func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        switch self {
        case .demo: RecipeFeed(recipe: .demo, transfers: transfers, options: options)
        }
    }
}
