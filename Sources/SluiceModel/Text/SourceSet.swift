// SPDX-License-Identifier: MIT

/// The SOURCE arguments of a run, or the names of its feeds, as the one text that the ledger records.
package struct SourceSet: Sendable, Hashable {
    /// Separates the members of a text; neither addresses nor names of services contain it.
    private static let separator: Character = "\n"

    /// The members in their order.
    package let members: [String]

    /// Creates a set of members.
    package init(_ members: [String]) { self.members = members }

    /// Reads the members from a text of the ledger.
    package init(text: String) {
        members = text.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    }

    /// The text for the ledger; that of one member is the member.
    package var text: String { members.joined(separator: String(Self.separator)) }

    /// A short text for people: the first member and the number of others.
    package var shown: String {
        let first = members.first ?? "nothing"
        return members.count < 2 ? first : "\(first) and \(members.count - 1) more"
    }

    /// Whether all members of another set are in this one.
    package func isSuperset(of other: SourceSet) -> Bool {
        let own = TextSet(members)
        return other.members.allSatisfy(own.contains)
    }
}
