// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Photos that a feed lists again with other addresses, in one run: the first of each counts.
struct Conflicts: Sendable {
    private var count = 0
    private var first = ""

    mutating func add(_ photo: Photo) {
        if count == 0 { first = photo.id }
        count += 1
    }

    /// What is to be said of them, once; `nil` where there is none.
    var note: String? {
        guard count > 0 else { return nil }
        let others = count > 1 ? " (and \(count - 1) more such records)" : ""
        return "\(first) stands in the feed again with another address\(others): the first counts"
    }
}
