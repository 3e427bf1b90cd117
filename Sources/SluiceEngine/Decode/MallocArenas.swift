// SPDX-License-Identifier: MIT

#if os(Linux)
    internal import CLinux
#endif

/// The memory arenas of the C library's allocator.
///
/// Several arenas let threads allocate without waiting for each other.
package enum MallocArenas {
    /// Limits the number of arenas to the number of cores.
    ///
    /// Call this before the program starts threads.
    ///
    /// By default, glibc creates up to eight arenas per core as threads come and go, and each keeps nearly all memory
    /// that it ever used. A long run would then take twice the memory of a short one.
    package static func limit() {
        #if os(Linux)
            _ = clinux_limit_arenas(Int32(clamping: Machine.cores))
        #endif
    }
}
