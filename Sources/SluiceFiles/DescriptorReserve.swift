// SPDX-License-Identifier: MIT
internal import SluiceSystem
internal import Synchronization

/// Keeps some file descriptors free for libraries that cannot do without.
///
/// libdispatch reads files in `/proc` when it considers another thread, and ends the process if it cannot open them.
/// SQLite and the resolver open files, too. So code of this project that opens files and sockets never takes the last
/// descriptors.
package enum DescriptorReserve {
    /// The number of descriptors that stay free.
    static let size = 8
    /// The descriptors below this one left enough others free when the limit was last read.
    ///
    /// Each file would need a call for the limit otherwise.
    private static let admitted = Atomic<Int>(0)

    /// Returns a descriptor that was just opened; if too few others are free, closes it, sets `errno` and returns -1.
    ///
    /// The system gives the lowest free number, so a number close to the limit means that nearly all others are in use.
    package static func admit(_ descriptor: Int32) -> Int32 {
        guard descriptor >= admitted.load(ordering: .relaxed) else { return descriptor }
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return descriptor }
        let end = Int(clamping: limit.rlim_cur) - size
        admitted.store(end, ordering: .relaxed)
        guard descriptor >= end else { return descriptor }
        close(descriptor)
        errno = EMFILE
        return -1
    }

    #if canImport(Darwin)
        private static let resource = RLIMIT_NOFILE
    #else
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
}
