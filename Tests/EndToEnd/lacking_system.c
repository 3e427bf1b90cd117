// SPDX-License-Identifier: MIT
// Functions of a system or a library that lacks something; environment variables say what.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>

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
