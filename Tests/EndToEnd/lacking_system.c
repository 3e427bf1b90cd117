// SPDX-License-Identifier: MIT
// Functions of a system or a library that lacks something; environment variables say what.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { unknown_option = 48 };

/// Refuses the option in REFUSED_OPTION, as a libcurl that was built without it does.
int curl_easy_setopt(void *handle, int option, ...) {
    const char *refused = getenv("REFUSED_OPTION");
    va_list list;
    va_start(list, option);
    void *value = va_arg(list, void *);
    va_end(list);
    if (refused && atoi(refused) == option) return unknown_option;
    int (*real)(void *, int, ...) = dlsym(RTLD_NEXT, "curl_easy_setopt");
    return real(handle, option, value);
}

/// Cannot flush folders if UNFLUSHABLE_FOLDERS is set, as on some file systems.
int fsync(int descriptor) {
    struct stat status;
    if (getenv("UNFLUSHABLE_FOLDERS") && !fstat(descriptor, &status) && S_ISDIR(status.st_mode)) {
        errno = EINVAL;
        return -1;
    }
    int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
    return real(descriptor);
}

/// Cannot open the folder in UNREADABLE_FOLDER.
int openat(int folder, const char *path, int flags, ...) {
    const char *unreadable = getenv("UNREADABLE_FOLDER");
    va_list list;
    va_start(list, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
    va_end(list);
    if (unreadable && !strcmp(path, unreadable)) {
        errno = EACCES;
        return -1;
    }
    int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, "openat");
    return real(folder, path, flags, mode);
}

/// Is the kernel in KERNEL_RELEASE.
int uname(struct utsname *names) {
    const char *release = getenv("KERNEL_RELEASE");
    int (*real)(struct utsname *) = dlsym(RTLD_NEXT, "uname");
    int result = real(names);
    if (result == 0 && release) strncpy(names->release, release, sizeof names->release - 1);
    return result;
}

/// Fails with an I/O error if FAILING_SYNCFS is set.
int syncfs(int descriptor) {
    if (getenv("FAILING_SYNCFS")) {
        errno = EIO;
        return -1;
    }
    int (*real)(int) = dlsym(RTLD_NEXT, "syncfs");
    return real(descriptor);
}

/// Whether the descriptor is that of the file in UNREADABLE_FILE, which is the end of a path.
static int is_unreadable(int descriptor) {
    const char *name = getenv("UNREADABLE_FILE");
    if (!name) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, sizeof path), end = (ssize_t)strlen(name);
    return count >= end && !memcmp(path + count - end, name, end);
}

/// Fails with an I/O error for the file in UNREADABLE_FILE.
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    if (is_unreadable(descriptor)) {
        errno = EIO;
        return -1;
    }
    ssize_t (*real)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
    return real(descriptor, bytes, count, offset);
}

/// libcurl was built with the TLS library in TLS_LIBRARY.
void *curl_version_info(int version) {
    struct info { int age; const char *version; unsigned number; const char *host; int features; const char *tls; };
    struct info *(*real)(int) = dlsym(RTLD_NEXT, "curl_version_info");
    struct info *info = real(version);
    const char *library = getenv("TLS_LIBRARY");
    if (library) info->tls = library;
    return info;
}
