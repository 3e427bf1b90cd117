// SPDX-License-Identifier: MIT
#pragma once

#ifdef __linux__
#include <malloc.h>

/// Writes all pending changes of a file system to its disk.
///
/// Exists because the C library declares it only with _GNU_SOURCE, and Swift imports the headers without it.
int syncfs(int descriptor);

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
