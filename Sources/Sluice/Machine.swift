// SPDX-License-Identifier: MIT

internal import SluiceTransfer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the machine tells of itself.
enum Machine {
    /// How many cores this process may use.
    static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Throws where the system lets this process have too few threads: Dispatch would wait for them without a word.
    static func checkThreads() throws(MirrorError) {
        let least = cores + 8
        guard !OwnThread.areLeft(least) else { return }
        throw MirrorError(
            .local, "this system lets the process have fewer than \(least) threads more: see `ulimit -u`, `-v` and `-d`"
        )
    }

    /// The wall clock, for stamps alone: it jumps.
    static var secondsSince1970: Int { time(nil) }
}
