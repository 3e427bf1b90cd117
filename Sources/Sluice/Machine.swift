// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the machine tells of itself.
enum Machine {
    /// How many cores this process may use.
    static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The wall clock, for stamps alone: it jumps.
    static var secondsSince1970: Int { time(nil) }
}
