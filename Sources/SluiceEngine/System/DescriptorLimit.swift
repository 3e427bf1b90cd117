// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// The limit of open file descriptors of this process, and the concurrency that it allows.
package struct DescriptorLimit: Sendable, Hashable {
    /// The descriptors that an item may need: its connection and an idle one, its files and their folders.
    static let perItem = 6

    /// The minimum for a run: what it may need for one item, the folders, the ledger, the gallery and the loops.
    ///
    /// A mirror of the demo, whose service is in the same process, had 40 open on two busy cores, and eight stay free
    /// (`DescriptorReserve`). The others are for more loops, galleries and connections to stores.
    package static let minimum = 64

    package let maximum: Int

    /// Returns the system's soft and hard limit for this process; `nil` if they are unknown.
    package static func system() -> (soft: Int, hard: Int)? {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
        return (Int(clamping: limit.rlim_cur), Int(clamping: limit.rlim_max))
    }

    /// Raises the soft limit to the hard limit and returns it.
    package static func raised() -> DescriptorLimit {
        var limit = rlimit()
        if unsafe getrlimit(resource, &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            unsafe setrlimit(resource, &limit)
        }
        return DescriptorLimit(maximum: system()?.soft ?? .max)
    }

    /// Throws if the limit is too low for a run.
    package func check() throws(MirrorError) {
        guard maximum < Self.minimum else { return }
        throw MirrorError(
            .local, "cannot open enough files: the limit is \(maximum), a run needs \(Self.minimum); check `ulimit -n`")
    }

    #if canImport(Darwin)
        private static let resource = RLIMIT_NOFILE
    #else
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif

    /// Returns the number of items that may be in flight: at most `requested` and at least one.
    package func width(for requested: Int) -> Int {
        max(1, min(requested, (maximum - Self.minimum) / Self.perItem))
    }

    /// Returns the number of connections that may be kept open: half of what the files of `width` items leave.
    package static func idleConnections(besides width: Int) -> Int {
        max(0, ((system()?.soft ?? 0) - minimum - perItem * width) / 2)
    }

    /// Returns a note for the user if fewer items than requested can be in flight.
    package func note(for requested: Int) -> String? {
        let width = width(for: requested)
        guard width < requested else { return nil }
        return "concurrency reduced from \(requested) to \(width): the limit of open files is \(maximum) (ulimit -n)"
    }
}
