// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <time.h>

#include "CSandbox.h"

/// Opens only the worker's socket in the new process, and redirects its standard streams to /dev/null.
static int prepare_files(posix_spawn_file_actions_t *files, int socket) {
    int code = posix_spawn_file_actions_adddup2(files, socket, csandbox_worker_socket);
    if (!code) code = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDWR, 0);
    for (int output = 1; output < 3 && !code; output++) code = posix_spawn_file_actions_adddup2(files, 0, output);
#ifdef __linux__
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(files, csandbox_worker_socket + 1);
#endif
    return code;
}

/// Blocks the signals by which users stop a run; the main process receives them and lets decodes finish.
static int prepare_signals(posix_spawnattr_t *attributes) {
    sigset_t defaults, blocked;
    sigfillset(&defaults);
    sigemptyset(&blocked);
    const int blocked_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t index = 0; index < sizeof blocked_signals / sizeof *blocked_signals; index++) {
        sigaddset(&blocked, blocked_signals[index]);
    }
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    int code = posix_spawnattr_setflags(attributes, flags);
    if (!code) code = posix_spawnattr_setsigdefault(attributes, &defaults);
    return code ? code : posix_spawnattr_setsigmask(attributes, &blocked);
}

int csandbox_spawn(const char *program, char *const *arguments, char *const *environment, int socket, pid_t *process) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&files);
    if (code) return code;
    code = posix_spawnattr_init(&attributes);
    if (!code) {
        code = prepare_files(&files, socket);
        if (!code) code = prepare_signals(&attributes);
        if (!code) code = posix_spawn(process, program, &files, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return code;
}

void csandbox_set_cpu_limit(pid_t process, double seconds) {
#ifdef __linux__
    clockid_t clock;
    struct timespec used;
    struct rlimit limit;
    if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &used)) return;
    if (prlimit(process, RLIMIT_CPU, NULL, &limit)) return;
    // The limit counts whole seconds, so round up and never set it to zero.
    double total = (double)used.tv_sec + seconds + 2;
    limit.rlim_cur = total < 1e9 ? (rlim_t)total : RLIM_INFINITY;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    prlimit(process, RLIMIT_CPU, &limit, NULL);
#else
    (void)process, (void)seconds;
#endif
}
