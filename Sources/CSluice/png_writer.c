// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "csluice_png.h"
#include "output.h"

typedef struct {
    png_structp codec;
    png_infop info;
    jmp_buf jump_buffer;
    csluice_output output;
    csluice_status status;
} writer;

static void fail(png_structp codec, png_const_charp message) {
    (void)message;
    longjmp(((writer *)png_get_error_ptr(codec))->jump_buffer, 1);
}

/// Allocates memory for libpng, whose errors do not say whether memory was the reason.
static png_voidp allocate(png_structp codec, png_alloc_size_t size) {
    void *bytes = malloc(size);
    if (!bytes) ((writer *)png_get_mem_ptr(codec))->status = csluice_status_memory;
    return bytes;
}

static void release(png_structp codec, png_voidp bytes) {
    (void)codec;
    free(bytes);
}

static void warn(png_structp codec, png_const_charp message) {
    (void)codec;
    (void)message;
}

static void push(png_structp codec, png_bytep bytes, size_t count) {
    csluice_output *output = &((writer *)png_get_io_ptr(codec))->output;
    if (!csluice_output_grow(output, count)) {
        ((writer *)png_get_io_ptr(codec))->status = csluice_status_memory;
        png_error(codec, "no memory for the file");
    }
    memcpy(output->bytes + output->count, bytes, count);
    output->count += count;
}

static void flush(png_structp codec) { (void)codec; }

static int color_type(int channels) {
    switch (channels) {
    case 1:
        return PNG_COLOR_TYPE_GRAY;
    case 2:
        return PNG_COLOR_TYPE_GRAY_ALPHA;
    case 3:
        return PNG_COLOR_TYPE_RGB;
    default:
        return PNG_COLOR_TYPE_RGBA;
    }
}

/// Copies the metadata into libpng; a profile that libpng rejects ends the writing.
static void set_metadata(png_structp codec, png_infop info, const csluice_png_options *options) {
    if (options->profile_count > 0) {
        // libpng rejects the most common sRGB profile because of a known fault.
        png_set_option(codec, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
        png_set_iCCP(codec, info, "icc", PNG_COMPRESSION_TYPE_BASE, options->profile,
                     (png_uint_32)options->profile_count);
    }
    if (options->exif_count > 0) {
        png_set_eXIf_1(codec, info, (png_uint_32)options->exif_count, (png_bytep)options->exif);
    }
}

/// Contains all calls that can jump. State that must survive a jump is in the writer, not in this frame.
static csluice_status write_all(writer *writer, const csluice_png_options *options, const uint8_t *pixels) {
    if (setjmp(writer->jump_buffer)) return writer->status;
    png_set_write_fn(writer->codec, writer, push, flush);
    png_set_compression_level(writer->codec, options->level);
    png_set_IHDR(writer->codec, writer->info, (png_uint_32)options->width, (png_uint_32)options->height, 8,
                 color_type(options->channels), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    set_metadata(writer->codec, writer->info, options);
    png_write_info(writer->codec, writer->info);
    size_t stride = (size_t)options->width * (size_t)options->channels;
    for (int row = 0; row < options->height; row++) png_write_row(writer->codec, pixels + (size_t)row * stride);
    png_write_end(writer->codec, NULL);
    return csluice_status_ok;
}

csluice_status csluice_png_write(const csluice_png_options *options, const uint8_t *pixels, uint8_t **out,
                                 size_t *count) {
    // Until memory runs out, an error is libpng's verdict on the metadata.
    writer writer = {.status = csluice_status_unsupported};
    csluice_status status = csluice_status_memory;
    writer.codec = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer, fail, warn, &writer, allocate, release);
    if (writer.codec) writer.info = png_create_info_struct(writer.codec);
    if (writer.info) status = write_all(&writer, options, pixels);
    png_destroy_write_struct(&writer.codec, &writer.info);
    if (status != csluice_status_ok) {
        free(writer.output.bytes);
        return status;
    }
    *out = writer.output.bytes;
    *count = writer.output.count;
    return csluice_status_ok;
}

int csluice_png_version(void) { return (int)png_access_version_number(); }
