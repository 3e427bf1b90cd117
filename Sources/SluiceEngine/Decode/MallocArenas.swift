// SPDX-License-Identifier: MIT

#if os(Linux)
    internal import CLinux
#endif

/// The memory arenas of the C library's allocator.
///
/// Several arenas let threads allocate without waiting for each other.
package enum MallocArenas {
    /// Limits the number of arenas to twice the number of cores and four more, one for each thread that usually works.
    ///
    /// Call this before the program starts threads.
    ///
    /// By default, glibc creates up to eight arenas per core as threads come and go, and each keeps nearly all memory
    /// that it ever used: sixteen on two cores made the memory of a long run twice that of a short one. With as many
    /// arenas as cores, threads wait for each other: a run then takes a tenth more time, and 6 MB less after 100,000
    /// photos.
    package static func limit() {
        #if os(Linux)
            _ = clinux_limit_arenas(Int32(clamping: 2 * Machine.cores + 4))
        #endif
    }
}
