// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A feed of the lists in a bucket or a data set that match a pattern, in the order of their names.
///
/// They are found when the first page is read. A cursor has the name of its list, so that an interrupted run continues
/// in the same one.
final class JoinedLists: Feed {
    /// Returns names that may match, in any order.
    typealias Finder = @Sendable (CancellationToken) async throws(Failure) -> [String]
    /// Opens the list with a name.
    typealias Opener = @Sendable (_ name: String) throws(SourceError) -> any Feed

    private struct State {
        var names: [String]?
        var open: (name: String, feed: any Feed)?
        /// Whether a page had no photos, and none before it had any.
        var isEmpty = false
    }

    let name: String
    let defaultVariant = ListRecord.variant
    let maxPages: Int? = nil
    private let location: String
    private let pattern: PathPattern
    private let find: Finder
    private let openList: Opener
    private let state = Locked(State())

    /// Creates the feed `name` of the names that match the pattern of `location`.
    init(
        _ name: String, at location: String, _ pattern: PathPattern, finding find: @escaping Finder,
        opening openList: @escaping Opener
    ) {
        (self.name, self.location, self.pattern) = (name, location, pattern)
        (self.find, self.openList) = (find, openList)
    }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let names = try await names(token)
        let parts = cursor?.rawValue.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let list = parts.map { String($0[0]) } ?? names[0]
        guard let index = names.firstIndex(where: { $0 === list }) else {
            throw Failure(.feedParse, "'\(list)' does not match '\(location)' any more")
        }
        let inner = parts.flatMap { $0.count < 2 || $0[1].isEmpty ? nil : Cursor(rawValue: String($0[1])) }
        var page = try await feed(list).page(number, at: inner, token: token)
        let share = page.share ?? (page.next == nil ? 1 : 0)
        page.share = (Double(index) + share) / Double(names.count)
        page.total = nil
        let following = index + 1 < names.count ? Cursor(rawValue: "\(names[index + 1])\n") : nil
        page.next = page.next.map { Cursor(rawValue: "\(list)\n\($0.rawValue)") } ?? following
        // A list may have no photos, or none on its last page.
        page.mayBeEmpty = page.next != nil
        let isEmpty = page.photos.isEmpty && (cursor == nil || state.withLock(\.isEmpty))
        state.withLock { $0.isEmpty = isEmpty }
        guard !isEmpty || page.next != nil else { throw Failure(.feedParse, "the lists '\(location)' are empty") }
        return page
    }

    /// The names that match, sorted by their bytes.
    private func names(_ token: CancellationToken) async throws(Failure) -> [String] {
        if let known = state.withLock(\.names) { return known }
        let names = try await find(token).filter { pattern.matches($0) && !$0.contains("\n") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        guard !names.isEmpty else { throw Failure(.feedParse, "no list matches '\(location)'") }
        state.withLock { $0.names = names }
        return names
    }

    private func feed(_ list: String) throws(Failure) -> any Feed {
        if let open = state.withLock(\.open), open.name === list { return open.feed }
        do throws(SourceError) {
            let feed = try openList(list)
            state.withLock { $0.open = (list, feed) }
            return feed
        } catch {
            throw Failure(.feedParse, error.message, hint: error.hint)
        }
    }
}
