// SPDX-License-Identifier: MIT

#if os(Linux)
    internal import CLinux
#endif

/// The parts that the C library cuts a process's memory into, so that threads need not wait for each other.
public enum Arenas {
    /// Has no more of them than cores; a program calls it before it has threads.
    ///
    /// Left to itself, glibc makes up to eight for each core as threads come and go, and each keeps nearly all that it ever
    /// had: a long run then takes twice the memory of a short one.
    public static func limit() {
        #if os(Linux)
            _ = clinux_limit_arenas(Int32(clamping: Machine.cores))
        #endif
    }
}
