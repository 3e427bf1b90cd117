// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "CSandbox.h"

/// What the new process needs besides its arguments, made before the fork: afterwards only system calls are safe.
typedef struct {
    int socket, log, report;
    uid_t user;
    gid_t group;
    bool is_isolated;
    pid_t parent;
    char user_map[64], group_map[64];
} launch;

#ifdef __linux__
static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    ssize_t written = write(file, text, strlen(text));
    int code = written < 0 ? errno : 0;
    close(file);
    return code;
}
#endif

/// Moves the process to a network of its own, which has no devices; only root can do so without a user namespace.
static int leave_network(const launch *launch) {
#ifdef __linux__
    if (!launch->is_isolated) return 0;
    if (geteuid() == 0) return unshare(CLONE_NEWNET) ? errno : 0;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET)) return errno;
    int code = write_file("/proc/self/setgroups", "deny");
    if (!code) code = write_file("/proc/self/uid_map", launch->user_map);
    return code ? code : write_file("/proc/self/gid_map", launch->group_map);
#else
    (void)launch;
    return 0;
#endif
}

static int give_up_rights(const launch *launch) {
    if (launch->user == geteuid()) return 0;
    if (setgroups(0, NULL) || setgid(launch->group) || setuid(launch->user)) return errno;
    return 0;
}

/// Lets the process end with the thread that started it.
static int end_with_parent(const launch *launch) {
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) return errno;
#endif
    return getppid() == launch->parent ? 0 : ESRCH;
}

/// Leaves the log as standard output and error, and the socket as 3 and 4, as the browser's pipe.
static int arrange_files(launch *launch) {
    int socket = fcntl(launch->socket, F_DUPFD_CLOEXEC, 16);
    int log = fcntl(launch->log, F_DUPFD_CLOEXEC, 16);
    int report = fcntl(launch->report, F_DUPFD_CLOEXEC, 16);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (socket < 0 || log < 0 || report < 0 || nothing < 0) return errno;
    launch->report = report;
    if (dup2(nothing, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0) return errno;
    if (dup2(socket, 3) < 0 || dup2(socket, 4) < 0) return errno;
#ifdef __linux__
    syscall(SYS_close_range, 5, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
    return 0;
}

static void reset_signals(void) {
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int csandbox_start_browser(const char *program, char *const *arguments, char *const *environment, int socket, int log,
                           uid_t user, gid_t group, bool is_isolated, pid_t *process) {
    int ends[2], code = 0;
    if (pipe(ends)) return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    launch launch = {.socket = socket,
                     .log = log,
                     .report = ends[1],
                     .user = user,
                     .group = group,
                     .is_isolated = is_isolated,
                     .parent = getpid()};
    snprintf(launch.user_map, sizeof launch.user_map, "%u %u 1", geteuid(), geteuid());
    snprintf(launch.group_map, sizeof launch.group_map, "%u %u 1", getegid(), getegid());
    *process = fork();
    if (*process == 0) {
        setpgid(0, 0);
        reset_signals();
        code = leave_network(&launch);
        if (!code) code = give_up_rights(&launch);
        if (!code) code = end_with_parent(&launch);
        if (!code) code = arrange_files(&launch);
        if (!code) {
            execve(program, arguments, environment);
            code = errno;
        }
        if (write(launch.report, &code, sizeof code) < 0) _exit(126);
        _exit(127);
    }
    int failure = *process < 0 ? errno : 0;
    close(ends[1]);
    // The pipe closes when the program starts.
    ssize_t count = 0;
    if (!failure) {
        do count = read(ends[0], &code, sizeof code);
        while (count < 0 && errno == EINTR);
        if (count == sizeof code) failure = code;
    }
    close(ends[0]);
    return failure;
}
