// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// Reads a recipe's member `politeness`.
struct RecipePoliteness: Sendable {
    static let members = ["perHost", "interval", "intervals", "bandwidth", "robots", "cap", "contact"]

    var politeness = Politeness()
    private var interval: Duration?

    init() {}

    init(_ node: RecipeNode) {
        node.checkMembers(Self.members)
        politeness.perHost = node.integer("perHost")
        politeness.bandwidth = node.integer("bandwidth")
        politeness.cap = node.integer("cap")
        politeness.respectsRobotsTxt = node.flag("robots")
        politeness.needsContact = node.flag("contact")
        interval = node.seconds("interval")
        guard let intervals = node["intervals"] else { return }
        for (host, child) in intervals.children {
            if let seconds = child.seconds { politeness.intervals[host.lowercased()] = seconds }
        }
    }

    /// Returns the politeness with the interval assigned to the host of `base`.
    func resolved(base: String, terms: String?) -> Politeness {
        var politeness = politeness
        politeness.terms = terms
        if let interval, let host = WebAddress(base)?.host { politeness.intervals[host] = interval }
        return politeness
    }
}
