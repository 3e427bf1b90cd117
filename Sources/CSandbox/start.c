// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <time.h>

#include "CSandbox.h"

/// What the new process has open: nothing, and the channel.
static int prepare_files(posix_spawn_file_actions_t *files, int channel) {
    int code = posix_spawn_file_actions_adddup2(files, channel, csandbox_channel);
    if (!code) code = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDWR, 0);
    for (int output = 1; output < 3 && !code; output++) code = posix_spawn_file_actions_adddup2(files, 0, output);
#ifdef __linux__
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(files, csandbox_channel + 1);
#endif
    return code;
}

/// What ends a run, as a user asks for it, is told to its main process, which then lets decodes come to their ends.
static int prepare_signals(posix_spawnattr_t *attributes) {
    sigset_t own, blocked;
    sigfillset(&own);
    sigemptyset(&blocked);
    const int deaf[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t index = 0; index < sizeof deaf / sizeof *deaf; index++) sigaddset(&blocked, deaf[index]);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    int code = posix_spawnattr_setflags(attributes, flags);
    if (!code) code = posix_spawnattr_setsigdefault(attributes, &own);
    return code ? code : posix_spawnattr_setsigmask(attributes, &blocked);
}

int csandbox_start(const char *program, char *const *words, char *const *environment, int channel, pid_t *process) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&files);
    if (code) return code;
    code = posix_spawnattr_init(&attributes);
    if (!code) {
        code = prepare_files(&files, channel);
        if (!code) code = prepare_signals(&attributes);
        if (!code) code = posix_spawn(process, program, &files, &attributes, words, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return code;
}

void csandbox_limit_time(pid_t process, double seconds) {
#ifdef __linux__
    clockid_t clock;
    struct timespec used;
    struct rlimit limit;
    if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &used)) return;
    if (prlimit(process, RLIMIT_CPU, NULL, &limit)) return;
    // Whole seconds are all that the limit knows: up, and never to nothing.
    double most = (double)used.tv_sec + seconds + 2;
    limit.rlim_cur = most < 1e9 ? (rlim_t)most : RLIM_INFINITY;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    prlimit(process, RLIMIT_CPU, &limit, NULL);
#else
    (void)process, (void)seconds;
#endif
}
