// SPDX-License-Identifier: MIT
#include "csluice_jxl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// The part of libjxl's interface that is used; these values have been the same since version 0.7.
enum { event_success = 0, event_error = 1, event_more_input = 2, event_needs_buffer = 5 };
enum { event_info = 0x40, event_colors = 0x100, event_frame = 0x400, event_image = 0x1000 };
enum { type_8_bits = 2, type_16_bits = 3, profile_of_data = 1 };

/// From this version on, the functions for profiles have no pixel format.
enum { version_0_9 = 9000 };

/// The first members of the library's facts about a picture, and room for those of all versions.
typedef struct {
    int has_container;
    uint32_t width, height, bits, exponent_bits;
    float most_light, least_light;
    int is_relative;
    float linear_below;
    int has_own_profile, has_preview, has_animation, orientation;
    uint32_t colors, extras, alpha_bits, alpha_exponent_bits;
    int is_premultiplied;
    uint8_t rest[1024];
} basic_info;

typedef struct {
    uint32_t channels;
    int type, byte_order;
    size_t alignment;
} pixel_format;

static struct {
    void *library;
    uint32_t number;
    uint32_t (*version)(void);
    void *(*create)(const void *);
    void (*destroy)(void *);
    int (*subscribe)(void *, int);
    int (*keep_orientation)(void *, int);
    int (*unpremultiply)(void *, int);
    int (*set_input)(void *, const uint8_t *, size_t);
    int (*process)(void *);
    void (*skip_frames)(void *, size_t);
    int (*info)(const void *, basic_info *);
    void *profile_size, *profile;
    int (*buffer_size)(const void *, const pixel_format *, size_t *);
    int (*set_buffer)(void *, const pixel_format *, void *, size_t);
} jxl;

struct csluice_jxl_decoder {
    void *handle;
    bool has_colors;
};

static bool find_functions(void *library) {
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"JxlDecoderVersion", &jxl.version},
        {"JxlDecoderCreate", &jxl.create},
        {"JxlDecoderDestroy", &jxl.destroy},
        {"JxlDecoderSubscribeEvents", &jxl.subscribe},
        {"JxlDecoderSetKeepOrientation", &jxl.keep_orientation},
        {"JxlDecoderSetUnpremultiplyAlpha", &jxl.unpremultiply},
        {"JxlDecoderSetInput", &jxl.set_input},
        {"JxlDecoderProcessInput", &jxl.process},
        {"JxlDecoderSkipFrames", &jxl.skip_frames},
        {"JxlDecoderGetBasicInfo", &jxl.info},
        {"JxlDecoderGetICCProfileSize", &jxl.profile_size},
        {"JxlDecoderGetColorAsICCProfile", &jxl.profile},
        {"JxlDecoderImageOutBufferSize", &jxl.buffer_size},
        {"JxlDecoderSetImageOutBuffer", &jxl.set_buffer},
    };
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        void *function = dlsym(library, functions[index].name);
        if (!function) return false;
        *(void **)functions[index].place = function;
    }
    return true;
}

static void load_library(void) {
    // The name has the version until 1.0; Debian 12 has 0.7, and Debian 13 has 0.11.
    const char *const files[] = {
        "libjxl.so.0.12", "libjxl.so.0.11", "libjxl.so.0.10", "libjxl.so.0.9", "libjxl.so.0.8", "libjxl.so.0.7",
    };
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof files / sizeof *files; index++) {
        library = dlopen(files[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) return;
    if (find_functions(library)) {
        jxl.number = jxl.version();
        jxl.library = library;
    } else {
        dlclose(library);
    }
}

bool csluice_jxl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_library);
    return jxl.library;
}

uint32_t csluice_jxl_version(void) { return jxl.library ? jxl.number : 0; }

csluice_jxl_decoder *csluice_jxl_open(const uint8_t *bytes, size_t count) {
    if (!jxl.library) return NULL;
    csluice_jxl_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    // Without a runner of threads, the library has none.
    decoder->handle = jxl.create(NULL);
    if (decoder->handle && jxl.subscribe(decoder->handle, event_info | event_colors | event_frame | event_image) == 0 &&
        jxl.keep_orientation(decoder->handle, 1) == 0 && jxl.unpremultiply(decoder->handle, 1) == 0 &&
        // Version 0.7 calls intact files damaged that arrive in parts.
        jxl.set_input(decoder->handle, bytes, count) == 0) {
        return decoder;
    }
    csluice_jxl_close(decoder);
    return NULL;
}

/// Decodes up to the colours; a picture without their event has damage before it.
static csluice_status read_colors(csluice_jxl_decoder *decoder) {
    while (!decoder->has_colors) {
        int event = jxl.process(decoder->handle);
        if (event == event_colors) {
            decoder->has_colors = true;
        } else if (event == event_more_input) {
            return csluice_status_truncated;
        } else if (event != event_info) {
            return csluice_status_corrupt;
        }
    }
    return csluice_status_ok;
}

csluice_status csluice_jxl_find_profile(csluice_jxl_decoder *decoder, size_t *count) {
    *count = 0;
    csluice_status status = read_colors(decoder);
    if (status != csluice_status_ok) return status;
    int missing;
    if (jxl.number < version_0_9) {
        int (*find)(const void *, const void *, int, size_t *) = jxl.profile_size;
        missing = find(decoder->handle, NULL, profile_of_data, count);
    } else {
        int (*find)(const void *, int, size_t *) = jxl.profile_size;
        missing = find(decoder->handle, profile_of_data, count);
    }
    if (missing) *count = 0;
    return csluice_status_ok;
}

csluice_status csluice_jxl_copy_profile(csluice_jxl_decoder *decoder, uint8_t *profile, size_t count) {
    int failed;
    if (jxl.number < version_0_9) {
        int (*copy)(const void *, const void *, int, uint8_t *, size_t) = jxl.profile;
        failed = copy(decoder->handle, NULL, profile_of_data, profile, count);
    } else {
        int (*copy)(const void *, int, uint8_t *, size_t) = jxl.profile;
        failed = copy(decoder->handle, profile_of_data, profile, count);
    }
    return failed ? csluice_status_corrupt : csluice_status_ok;
}

csluice_status csluice_jxl_decode(csluice_jxl_decoder *decoder, csluice_jxl_shape shape, uint8_t *pixels) {
    csluice_status status = read_colors(decoder);
    if (status != csluice_status_ok) return status;
    basic_info info = {0};
    if (jxl.info(decoder->handle, &info) != 0) return csluice_status_corrupt;
    uint32_t channels = info.alpha_bits ? 4 : info.colors;
    if (info.width != shape.width || info.height != shape.height || channels != shape.channels) {
        return csluice_status_corrupt;
    }
    pixel_format format = {.channels = shape.channels, .type = shape.depth == 8 ? type_8_bits : type_16_bits};
    size_t bytes = (size_t)shape.width * shape.height * shape.channels * (shape.depth / 8), needed = 0;
    bool has_image = false;
    for (;;) {
        switch (jxl.process(decoder->handle)) {
            case event_more_input: return csluice_status_truncated;
            case event_frame: break;
            case event_needs_buffer:
                if (jxl.buffer_size(decoder->handle, &format, &needed) != 0) return csluice_status_unsupported;
                if (needed != bytes || jxl.set_buffer(decoder->handle, &format, pixels, needed) != 0) {
                    return csluice_status_corrupt;
                }
                break;
            case event_image:
                has_image = true;
                // The headers of further frames are read up to the end of the file, but not their pixels.
                jxl.skip_frames(decoder->handle, INT32_MAX);
                break;
            case event_success: return has_image ? csluice_status_ok : csluice_status_corrupt;
            default: return csluice_status_corrupt;
        }
    }
}

void csluice_jxl_close(csluice_jxl_decoder *decoder) {
    if (decoder->handle) jxl.destroy(decoder->handle);
    free(decoder);
}
