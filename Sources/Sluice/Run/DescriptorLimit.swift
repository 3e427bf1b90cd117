// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How many files and connections this process may have open at once, and how many items in flight that is enough for.
struct DescriptorLimit: Sendable, Hashable {
    /// What an item in flight may have open: its connection and one kept for later, its files and their folders.
    static let perItem = 6
    /// What a run has open beside its items.
    static let reserve = 64

    /// Below this not even one item's files and what a run has open beside it fit.
    static let least = 48

    /// How many there may be.
    let most: Int

    /// What the system lets this process have, and what it could be raised to; `nil` if it does not tell.
    static func system() -> (soft: Int, hard: Int)? {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
        return (Int(clamping: limit.rlim_cur), Int(clamping: limit.rlim_max))
    }

    /// The limit for this process, raised as far as it lets itself be raised.
    static func raised() -> DescriptorLimit {
        var limit = rlimit()
        if unsafe getrlimit(resource, &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            unsafe setrlimit(resource, &limit)
        }
        return DescriptorLimit(most: system()?.soft ?? .max)
    }

    /// Throws where a run would only come to its trouble later.
    func check() throws(MirrorError) {
        guard most < Self.least else { return }
        throw MirrorError(
            .local, "this system lets a process open \(most) files, and a run needs \(Self.least): see `ulimit -n`")
    }

    #if canImport(Darwin)
        private static let resource = RLIMIT_NOFILE
    #else
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif

    /// As many items as fit, up to what is wanted, and at least one.
    func width(for wanted: Int) -> Int {
        max(1, min(wanted, (most - Self.reserve) / Self.perItem))
    }

    /// What to tell the user about fewer items than wanted; `nil` where all fit.
    func note(for wanted: Int) -> String? {
        let width = width(for: wanted)
        guard width < wanted else { return nil }
        return "at most \(width) of \(wanted) photos at once: this system lets a process open \(most) files (ulimit -n)"
    }
}
