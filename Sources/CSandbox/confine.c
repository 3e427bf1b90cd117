// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CSandbox.h"
#include "seccomp.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

/// A Landlock rule set as the newest kernel defines it; older kernels read only a prefix.
struct rules {
    uint64_t files, network, others;
};

/// Denies every file, address and signal operation that Landlock can deny; returns its version, or 0.
static int apply_landlock(void) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1u);
    if (version < 1) return 0;
    int kinds = version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16;
    struct rules rules = {(1u << kinds) - 1, version < 4 ? 0 : 3, version < 6 ? 0 : 3};
    size_t size = version < 4 ? 8 : version < 6 ? 16 : sizeof rules;
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0u);
    if (set < 0) return 0;
    long code = syscall(SYS_landlock_restrict_self, set, 0u);
    close(set);
    return code ? 0 : version;
}

/// Returns the current size of the process's address space.
static size_t current_address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return (size_t)1 << 30;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static bool limit(__rlimit_resource_t resource, rlim_t maximum) {
    struct rlimit current;
    if (getrlimit(resource, &current)) return false;
    if (current.rlim_max != RLIM_INFINITY && current.rlim_max < maximum) maximum = current.rlim_max;
    return !setrlimit(resource, &(struct rlimit){maximum, maximum});
}

/// Returns the number that the next opened file will get; libraries may have opened files while loading.
static int next_descriptor(void) {
    int next = dup(csandbox_worker_socket);
    if (next >= 0) close(next);
    return next;
}

static bool limit_all(size_t memory) {
    bool is_limited = limit(RLIMIT_AS, current_address_space() + memory);
    // Allow one open image at a time and no other file.
    int descriptor = next_descriptor();
    is_limited &= descriptor >= 0 && limit(RLIMIT_NOFILE, (rlim_t)descriptor + 1);
    is_limited &= limit(RLIMIT_NPROC, 0);
    is_limited &= limit(RLIMIT_FSIZE, 0);
    return is_limited & limit(RLIMIT_CORE, 0);
}

csandbox_report csandbox_confine(size_t memory) {
    csandbox_report report = {0};
    report.has_no_new_privileges = !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // Set the limits first, while the process can still read its own size.
    report.has_limits = limit_all(memory);
    report.landlock = apply_landlock();
    report.filters_calls = csandbox_filter_calls();
    return report;
}
#else
csandbox_report csandbox_confine(size_t memory) {
    (void)memory;
    return (csandbox_report){0};
}
#endif
