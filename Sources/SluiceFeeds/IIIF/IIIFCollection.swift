// SPDX-License-Identifier: MIT

/// A collection: addresses of manifests and of further collections, in their order.
struct IIIFCollection {
    /// The addresses of what is in it.
    let members: [String]
    /// Where a collection that comes in pages (second version) goes on.
    let next: String?

    init(_ collection: IIIFDocument) {
        // The second version's `members` go before its older lists.
        let lists = [["items"], ["members"], ["collections", "manifests"]]
        members = lists.lazy.map { $0.flatMap(collection.all) }.first { !$0.isEmpty }?.compactMap(\.id) ?? []
        let first = members.isEmpty ? collection.address("first") : nil
        next = first ?? collection.address("next")
    }
}
