// SPDX-License-Identifier: MIT
#pragma once

#ifdef __linux__
#include <malloc.h>

/// Brings all that waits to be written to a file system to its disk.
///
/// Exists because the C library declares it for _GNU_SOURCE alone, without which Swift reads its headers.
int syncfs(int descriptor);

/// Has the allocator make no more arenas than that.
///
/// Exists because Swift does not read <malloc.h>, and other C libraries than glibc have no such parameter.
static inline int clinux_limit_arenas(int most) {
#ifdef M_ARENA_MAX
    return mallopt(M_ARENA_MAX, most);
#else
    return most;
#endif
}
#endif
