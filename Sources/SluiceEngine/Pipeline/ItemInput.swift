// SPDX-License-Identifier: MIT

package import SluiceLedger
package import SluiceStore

/// What an item is made from.
package enum ItemInput: Sendable {
    /// Bytes that are written to a partial file and checked, for example a download.
    case fetched(any FetchedInput)
    /// A picture that is read where it is.
    case read(any PictureReading)
    /// A result that is known already.
    case result(any KnownResult)

    /// Whether the bytes come from the photo's host.
    var usesNetwork: Bool {
        if case .fetched(let input) = self { input.usesNetwork } else { false }
    }

    /// The number of concurrent transfers per host that the item's source allows; `nil` for the user's.
    var perHost: Int? {
        if case .fetched(let input) = self { input.perHost } else { nil }
    }
}

/// A result that another run has made.
package protocol KnownResult: Sendable {
    /// Returns the result with its staged files.
    func result(for claim: Claim, in store: any Store) -> ProcessedItem
}
