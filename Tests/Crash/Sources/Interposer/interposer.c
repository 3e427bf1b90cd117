// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "interposer.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic long *count;
static long at;
static bool stays, kills, shortens;
static int error;
static const char *calls;

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("CRASH_COUNT"), *number = getenv("CRASH_AT"), *with = getenv("CRASH_WITH");
    calls = getenv("CRASH_CALLS");
    at = number ? atol(number) : 0;
    stays = getenv("CRASH_ON") != NULL;
    kills = with && !strcmp(with, "KILL");
    shortens = with && !strcmp(with, "SHORT");
    error = with ? atoi(with) : 0;
    int descriptor = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor < 0) return;
    void *page = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (page != MAP_FAILED) count = page;
}

// Whether this call gets the fault.
static bool affects(const char *name) {
    if (!count || !calls) return false;
    char word[32] = ",";
    strcat(strncat(word, name, 28), ",");
    if (!strstr(calls, word)) return false;
    long number = atomic_fetch_add(count, 1) + 1;
    if (stays ? at == 0 || number < at : number != at) return false;
    if (kills) kill(getpid(), SIGKILL);
    return true;
}

// Whether writing to the descriptor leaves the process; waking up another thread of the process does not count.
static bool leaves(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status)) return false;
    // A non-blocking pipe only wakes up a thread of the same process.
    if (S_ISFIFO(status.st_mode)) return !(fcntl(descriptor, F_GETFL) & O_NONBLOCK);
    if (!S_ISSOCK(status.st_mode)) return S_ISREG(status.st_mode);
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length)) return false;
    return address.ss_family == AF_INET || address.ss_family == AF_INET6;
}

static bool isFile(int descriptor) {
    struct stat status;
    return !fstat(descriptor, &status) && S_ISREG(status.st_mode);
}

#define REAL(name)                                                                                                     \
    static __typeof__(&name) real;                                                                                     \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// A call that either fails with the error or is made.
#define INTERPOSE(result, name, word, condition, parameters, ...)                                                      \
    result name parameters {                                                                                           \
        REAL(name);                                                                                                    \
        if ((condition) && affects(word) && error) {                                                                   \
            errno = error;                                                                                             \
            return -1;                                                                                                 \
        }                                                                                                              \
        return real(__VA_ARGS__);                                                                                      \
    }

// A call that writes `size` bytes: it may also write half of them.
#define INTERPOSE_WRITES(name, word, parameters, size, ...)                                                            \
    ssize_t name parameters {                                                                                          \
        REAL(name);                                                                                                    \
        if (leaves(descriptor) && affects(word)) {                                                                     \
            if (shortens && size > 1) size /= 2;                                                                       \
            if (error) {                                                                                               \
                errno = error;                                                                                         \
                return -1;                                                                                             \
            }                                                                                                          \
        }                                                                                                              \
        return real(__VA_ARGS__);                                                                                      \
    }

#define MAKES(flags) ((flags) & (O_CREAT | O_TRUNC))
#define MODE(flags)                                                                                                    \
    mode_t mode = 0;                                                                                                   \
    if (MAKES(flags) || ((flags) & O_TMPFILE) == O_TMPFILE) {                                                          \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode = va_arg(list, mode_t);                                                                                   \
        va_end(list);                                                                                                  \
    }

// Opening counts as a change only if it can create a file. All variants count as openat.
#define OPENS(name, parameters, ...)                                                                                   \
    int name parameters {                                                                                              \
        REAL(name);                                                                                                    \
        MODE(flags)                                                                                                    \
        if (MAKES(flags) && affects("openat") && error) {                                                              \
            errno = error;                                                                                             \
            return -1;                                                                                                 \
        }                                                                                                              \
        return real(__VA_ARGS__, mode);                                                                                \
    }

OPENS(open, (const char *path, int flags, ...), path, flags)
OPENS(open64, (const char *path, int flags, ...), path, flags)
OPENS(openat, (int folder, const char *path, int flags, ...), folder, path, flags)
OPENS(openat64, (int folder, const char *path, int flags, ...), folder, path, flags)

INTERPOSE_WRITES(write, "write", (int descriptor, const void *bytes, size_t size), size, descriptor, bytes, size)
INTERPOSE_WRITES(pwrite, "pwrite64", (int descriptor, const void *bytes, size_t size, off_t offset), size,
                     descriptor, bytes, size, offset)
INTERPOSE_WRITES(pwrite64, "pwrite64", (int descriptor, const void *bytes, size_t size, off64_t offset), size,
                     descriptor, bytes, size, offset)
INTERPOSE(ssize_t, writev, "writev", leaves(descriptor), (int descriptor, const struct iovec *parts, int many),
              descriptor, parts, many)
INTERPOSE(ssize_t, pwritev, "pwritev", leaves(descriptor),
              (int descriptor, const struct iovec *parts, int many, off_t offset), descriptor, parts, many, offset)
INTERPOSE(ssize_t, send, "sendto", leaves(descriptor), (int descriptor, const void *bytes, size_t size, int flags),
              descriptor, bytes, size, flags)
INTERPOSE(ssize_t, sendmsg, "sendmsg", leaves(descriptor),
              (int descriptor, const struct msghdr *message, int flags), descriptor, message, flags)
INTERPOSE(ssize_t, read, "read", isFile(descriptor), (int descriptor, void *bytes, size_t size), descriptor, bytes,
              size)
INTERPOSE(ssize_t, pread, "pread64", true, (int descriptor, void *bytes, size_t size, off_t offset), descriptor,
              bytes, size, offset)
INTERPOSE(ssize_t, pread64, "pread64", true, (int descriptor, void *bytes, size_t size, off64_t offset), descriptor,
              bytes, size, offset)

INTERPOSE(int, mkdir, "mkdir", true, (const char *path, mode_t mode), path, mode)
INTERPOSE(int, mkdirat, "mkdirat", true, (int folder, const char *path, mode_t mode), folder, path, mode)
INTERPOSE(int, renameat, "renameat", true, (int from, const char *old, int to, const char *new), from, old, to, new)
INTERPOSE(int, rename, "rename", true, (const char *old, const char *new), old, new)
INTERPOSE(int, linkat, "linkat", true, (int from, const char *old, int to, const char *new, int flags), from, old,
              to, new, flags)
INTERPOSE(int, unlink, "unlink", true, (const char *path), path)
INTERPOSE(int, unlinkat, "unlinkat", true, (int folder, const char *path, int flags), folder, path, flags)
INTERPOSE(int, rmdir, "rmdir", true, (const char *path), path)
INTERPOSE(int, ftruncate, "ftruncate", true, (int descriptor, off_t length), descriptor, length)
INTERPOSE(int, ftruncate64, "ftruncate", true, (int descriptor, off64_t length), descriptor, length)
INTERPOSE(int, fsync, "fsync", true, (int descriptor), descriptor)
INTERPOSE(int, fdatasync, "fdatasync", true, (int descriptor), descriptor)
INTERPOSE(int, syncfs, "syncfs", true, (int descriptor), descriptor)
INTERPOSE(int, flock, "flock", true, (int descriptor, int operation), descriptor, operation)
INTERPOSE(int, fchmod, "fchmod", true, (int descriptor, mode_t mode), descriptor, mode)
INTERPOSE(int, futimens, "utimensat", true, (int descriptor, const struct timespec times[2]), descriptor, times)
