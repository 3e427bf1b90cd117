// SPDX-License-Identifier: MIT
#pragma once

#ifdef __linux__
#include <fcntl.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/// Writes all pending changes of a file system to its disk.
///
/// Exists because the C library declares it only with _GNU_SOURCE, and Swift imports the headers without it.
int syncfs(int descriptor);

/// Lets the kernel write the changes of a file to its disk, without waiting.
///
/// Exists because Swift imports the headers without _GNU_SOURCE, as above.
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned int flags);
static inline int clinux_start_flushing(int descriptor) {
    // SYNC_FILE_RANGE_WRITE
    return sync_file_range(descriptor, 0, 0, 2);
}

/// Creates a file in memory, which vanishes when it is closed.
///
/// Exists because the C library declares memfd_create only with _GNU_SOURCE, as above.
static inline int clinux_create_memory_file(const char *name) {
    // MFD_CLOEXEC
    return (int)syscall(SYS_memfd_create, name, 1);
}

/// Opens a folder below another one in one call; fails if a part of the path is a symbolic link.
///
/// Exists because the C library has no function for openat2, and syscall is variadic, which Swift cannot call.
static inline int clinux_open_folder(int parent, const char *path) {
    struct open_how how = {
        .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, parent, path, &how, sizeof how);
}

/// Lets the kernel kill this process when the thread that started it ends.
///
/// Exists because prctl is variadic, which Swift cannot call.
static inline int clinux_end_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/// Limits the number of the allocator's arenas.
///
/// Exists because Swift does not import <malloc.h>, and because only glibc has this parameter.
static inline int clinux_limit_arenas(int limit) {
#ifdef M_ARENA_MAX
    return mallopt(M_ARENA_MAX, limit);
#else
    return limit;
#endif
}
#endif
