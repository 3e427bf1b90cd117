// SPDX-License-Identifier: MIT

/// Counts consecutive kept items, which end the reading of a feed at a limit.
package struct KeptStreak {
    let limit: Int
    private var count = 0

    package init(limit: Int = .max) { self.limit = limit }

    var hasReachedLimit: Bool { count >= limit }

    mutating func add(isKept: Bool) { count = isKept ? count + 1 : 0 }
}
