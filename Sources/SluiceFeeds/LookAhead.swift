// SPDX-License-Identifier: MIT

public import SluiceModel

/// Pulls the next page while the last one's photos are on their way: one page ahead, and no more.
public struct LookAhead: Sendable {
    /// A page, or why there is none, with the walk behind it.
    private struct Step: Sendable {
        var walk: Walk
        var page: Result<Page?, Failure>
    }

    private var walk: Walk
    private var ahead: Task<Step, Never>?
    // Below the run's: a page that nobody wants any more is not waited for.
    private let token: Token

    /// Begins before the walk's next page.
    public init(_ walk: Walk, token: Token) {
        self.walk = walk
        self.token = Token(below: token)
    }

    /// The number of the page that ``next()`` would give; `nil` at the end.
    public var nextNumber: Int? { walk.nextNumber }

    /// Whether the next page was asked for.
    public var isBegun: Bool { ahead != nil }
    /// Whether the walk ended with a failure.
    public private(set) var isBroken = false

    /// Asks for the next page, without waiting for it.
    public mutating func begin() {
        guard ahead == nil, walk.nextNumber != nil else { return }
        ahead = Task { [walk, token] in
            var walk = walk
            do throws(Failure) {
                let page = try await walk.nextPage(token: token)
                return Step(walk: walk, page: .success(page))
            } catch {
                return Step(walk: walk, page: .failure(error))
            }
        }
    }

    /// The next page; `nil` behind the last.
    public mutating func next() async throws(Failure) -> Page? {
        begin()
        guard let step = await ahead?.value else { return nil }
        ahead = nil
        walk = step.walk
        if case .failure = step.page { isBroken = true }
        return try step.page.get()
    }

    /// Takes note of how many of the last page's photos were new.
    public mutating func found(new count: Int) throws(Failure) {
        isBroken = true
        try walk.found(new: count)
        isBroken = false
    }

    /// Calls off the page that was asked for.
    public func end() { token.cancel() }
}
