// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// How a service wants to be treated, and what its terms say.
struct RecipeManners: Sendable {
    static let members = ["perHost", "interval", "intervals", "robots", "cap", "contact"]

    var manners = Manners()
    private var interval: Duration?

    init() {}

    init(_ node: RecipeNode) {
        node.allow(Self.members)
        manners.perHost = node.integer("perHost")
        manners.cap = node.integer("cap")
        manners.keepsToRobots = node.flag("robots")
        manners.needsContact = node.flag("contact")
        interval = node.seconds("interval")
        guard let intervals = node["intervals"] else { return }
        for (host, child) in intervals.children {
            if let seconds = child.seconds { manners.intervals[host.lowercased()] = seconds }
        }
    }

    /// The manners of the service that is at `base`.
    func of(_ base: String, terms: String?) -> Manners {
        var manners = manners
        manners.terms = terms
        if let interval, let host = WebAddress(base)?.host { manners.intervals[host] = interval }
        return manners
    }
}
