// SPDX-License-Identifier: MIT
// For RTLD_DEFAULT.
#define _GNU_SOURCE
#include "forward.h"

#ifdef __linux__

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include <avif/avif.h>
#include <libxml/xmlversion.h>
#include <openssl/opensslv.h>
#include <tiffvers.h>

// The interfaces that the headers describe; the name of a library changes with its interface.
#if AVIF_VERSION_MAJOR >= 1
#define AVIF_FILE "libavif.so.16"
#elif AVIF_VERSION_MINOR >= 11
#define AVIF_FILE "libavif.so.15"
#elif AVIF_VERSION_MINOR >= 10
#define AVIF_FILE "libavif.so.14"
#else
#define AVIF_FILE "libavif.so.13"
#endif
#if TIFFLIB_VERSION >= 20221213
#define TIFF_FILE "libtiff.so.6"
#else
#define TIFF_FILE "libtiff.so.5"
#endif
#if LIBXML_VERSION >= 21400
#define XML2_FILE "libxml2.so.16"
#else
#define XML2_FILE "libxml2.so.2"
#endif
#if OPENSSL_VERSION_MAJOR != 3
#error "libraries.c has the file names of OpenSSL 3 only"
#endif

/// The files of the libraries, which Packaging/libraries reads from the command.
static const char *const files[] = {
    [clibraries_avif] = AVIF_FILE,
    [clibraries_brotlidec] = "libbrotlidec.so.1",
    [clibraries_crypto] = "libcrypto.so.3",
    [clibraries_curl] = "libcurl.so.4",
    [clibraries_microhttpd] = "libmicrohttpd.so.12",
    [clibraries_psl] = "libpsl.so.5",
    [clibraries_ssl] = "libssl.so.3",
    [clibraries_tiff] = TIFF_FILE,
    [clibraries_xml2] = XML2_FILE,
};

static _Atomic(void *) handles[sizeof files / sizeof *files];

static void *load(clibraries_library library) {
    void *handle = atomic_load_explicit(&handles[library], memory_order_acquire);
    if (handle) return handle;
    // Threads that load the same library at the same time get the same handle. The names are global, as those of a
    // library that the command is linked with, so that preloaded libraries can replace functions.
    handle = dlopen(files[library], RTLD_NOW | RTLD_GLOBAL);
    if (handle) atomic_store_explicit(&handles[library], handle, memory_order_release);
    return handle;
}

bool clibraries_load(clibraries_library library) { return load(library) != NULL; }

void clibraries_load_all(void) {
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) load((clibraries_library)index);
}

bool clibraries_is_loaded(clibraries_library library) {
    return atomic_load_explicit(&handles[library], memory_order_acquire) != NULL;
}

void *clibraries_find(clibraries_library library, const char *name, _Atomic(void *) *place) {
    void *function = load(library) ? dlsym(RTLD_DEFAULT, name) : NULL;
    if (!function) {
        fprintf(stderr, "sluice: cannot load the library %s: %s; install it\n", files[library], dlerror());
        // The code of a shell for a command that cannot be started.
        _exit(127);
    }
    atomic_store_explicit(place, function, memory_order_release);
    return function;
}

#else

// Other systems link the libraries.
bool clibraries_load(clibraries_library library) { return true; }
void clibraries_load_all(void) {}
bool clibraries_is_loaded(clibraries_library library) { return true; }

#endif
