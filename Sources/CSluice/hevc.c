// SPDX-License-Identifier: MIT
#include "csluice_hevc.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// The part of libde265's interface that is used; it has been stable since version 1.0.
enum { error_none = 0, error_memory = 7, error_waiting = 13 };
enum { warning_single_thread = 1000, warning_thread_limit = 1022 };

static struct {
    void *library;
    const char *(*version)(void);
    const char *(*error_text)(int);
    void *(*open)(void);
    int (*close)(void *);
    int (*push)(void *, const void *, int, int64_t, void *);
    int (*flush)(void *);
    int (*decode)(void *, int *);
    const void *(*next)(void *);
    int (*warning)(void *);
    int (*width)(const void *, int);
    int (*height)(const void *, int);
    int (*chroma)(const void *);
    int (*depth)(const void *, int);
    const uint8_t *(*plane)(const void *, int, int *);
    int (*full_range)(const void *);
    int (*matrix)(const void *);
} de265;

struct csluice_hevc_decoder {
    void *handle;
    int error;
};

static bool find_functions(void *library) {
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"de265_get_version", &de265.version},
        {"de265_get_error_text", &de265.error_text},
        {"de265_new_decoder", &de265.open},
        {"de265_free_decoder", &de265.close},
        {"de265_push_NAL", &de265.push},
        {"de265_flush_data", &de265.flush},
        {"de265_decode", &de265.decode},
        {"de265_get_next_picture", &de265.next},
        {"de265_get_warning", &de265.warning},
        {"de265_get_image_width", &de265.width},
        {"de265_get_image_height", &de265.height},
        {"de265_get_chroma_format", &de265.chroma},
        {"de265_get_bits_per_pixel", &de265.depth},
        {"de265_get_image_plane", &de265.plane},
        {"de265_get_image_full_range_flag", &de265.full_range},
        {"de265_get_image_matrix_coefficients", &de265.matrix},
    };
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        void *function = dlsym(library, functions[index].name);
        if (!function) return false;
        *(void **)functions[index].place = function;
    }
    return true;
}

static void load_library(void) {
    void *library = dlopen("libde265.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    if (find_functions(library)) {
        de265.library = library;
    } else {
        dlclose(library);
    }
}

bool csluice_hevc_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_library);
    return de265.library;
}

const char *csluice_hevc_version(void) { return de265.library ? de265.version() : NULL; }

csluice_hevc_decoder *csluice_hevc_open(void) {
    if (!de265.library) return NULL;
    csluice_hevc_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    // Without a call that starts threads, the library has none.
    decoder->handle = de265.open();
    if (decoder->handle) return decoder;
    free(decoder);
    return NULL;
}

static csluice_status status(csluice_hevc_decoder *decoder, int error) {
    decoder->error = error;
    if (error == error_none) return csluice_status_ok;
    return error == error_memory ? csluice_status_memory : csluice_status_corrupt;
}

csluice_status csluice_hevc_push(csluice_hevc_decoder *decoder, const uint8_t *unit, size_t count) {
    if (count > INT_MAX) return csluice_status_unsupported;
    return status(decoder, de265.push(decoder->handle, unit, (int)count, 0, NULL));
}

/// Returns the first warning that means damage; the others concern speed only.
static int first_damage(csluice_hevc_decoder *decoder) {
    int warning;
    do {
        warning = de265.warning(decoder->handle);
    } while (warning == warning_single_thread || warning == warning_thread_limit);
    return warning;
}

csluice_status csluice_hevc_decode(csluice_hevc_decoder *decoder, csluice_hevc_picture *picture) {
    csluice_status flushed = status(decoder, de265.flush(decoder->handle));
    if (flushed != csluice_status_ok) return flushed;
    const void *image = NULL;
    int more = 1;
    while (!image && more) {
        int error = de265.decode(decoder->handle, &more);
        if (error != error_none) return status(decoder, error);
        image = de265.next(decoder->handle);
    }
    csluice_status found = status(decoder, first_damage(decoder));
    if (found != csluice_status_ok) return found;
    if (!image) return status(decoder, error_waiting);
    picture->width = de265.width(image, 0);
    picture->height = de265.height(image, 0);
    picture->chroma = de265.chroma(image);
    picture->depth = de265.depth(image, 0);
    picture->is_full_range = de265.full_range(image);
    picture->matrix = de265.matrix(image);
    for (int plane = 0; plane < 3; plane++) {
        bool has_plane = plane == 0 || picture->chroma != 0;
        picture->row_bytes[plane] = 0;
        picture->planes[plane] = has_plane ? de265.plane(image, plane, &picture->row_bytes[plane]) : NULL;
        if (has_plane && (!picture->planes[plane] || de265.depth(image, plane) != picture->depth)) {
            return csluice_status_unsupported;
        }
    }
    return csluice_status_ok;
}

const char *csluice_hevc_message(const csluice_hevc_decoder *decoder) { return de265.error_text(decoder->error); }

void csluice_hevc_close(csluice_hevc_decoder *decoder) {
    de265.close(decoder->handle);
    free(decoder);
}
