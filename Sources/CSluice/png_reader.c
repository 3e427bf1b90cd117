// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "csluice_png.h"
#include "png_pixels.h"

struct csluice_png_reader {
    png_structp codec;
    png_infop info;
    csluice_status status;
    jmp_buf jump_buffer;
    char message[200];
    csluice_stream stream;
    bool interlaced;
    /// Whether rows get other samples than the file has.
    bool is_expanded;
    /// The length and name of the last chunk that libpng started; eight bytes in one read.
    uint8_t chunk[8];
};

#define CATCH(reader)                                                   \
    if ((reader)->status != csluice_status_ok) return (reader)->status; \
    if (setjmp((reader)->jump_buffer)) return (reader)->status

/// The maximum memory in bytes and the maximum number of chunks that libpng may hold, besides the pixels.
enum { chunk_limit = 8 << 20, chunk_count_limit = 1000 };

static void fail(png_structp codec, png_const_charp message) {
    csluice_png_reader *reader = png_get_error_ptr(codec);
    if (reader->stream.error) {
        reader->status = csluice_status_disk;
        message = strerror(reader->stream.error);
    } else if (reader->stream.hit_end) {
        reader->status = csluice_status_truncated;
        message = "no PNG end chunk";
    } else {
        reader->status = csluice_status_corrupt;
    }
    snprintf(reader->message, sizeof reader->message, "%s", message);
    longjmp(reader->jump_buffer, 1);
}

static void warn(png_structp codec, png_const_charp message) {
    csluice_png_reader *reader = png_get_error_ptr(codec);
    if (reader->message[0]) return;
    snprintf(reader->message, sizeof reader->message, "%s", message);
}

static void pull(png_structp codec, png_bytep out, size_t count) {
    csluice_png_reader *reader = png_get_io_ptr(codec);
    if (!csluice_stream_read(&reader->stream, out, count)) png_error(codec, "read error");
    if (count != sizeof reader->chunk) return;
    memcpy(reader->chunk, out, count);
    // A palette of a picture without indices only suggests colours, but libpng drops a transparent colour before it.
    int colors = reader->info ? png_get_color_type(codec, reader->info) : 0;
    if (memcmp(out + 4, "PLTE", 4) == 0 && (colors == PNG_COLOR_TYPE_RGB || colors == PNG_COLOR_TYPE_RGB_ALPHA)) {
        png_set_keep_unknown_chunks(codec, PNG_HANDLE_CHUNK_ALWAYS, (const png_byte *)"PLTE", 1);
    }
}

/// Chunks that libpng must ignore. Thumbnails need no texts or suggested palettes, and libpng would unpack them at any
/// cost: 57 bytes can take a gigabyte. The numeric colour chunks are read and ranked elsewhere, because libpng would
/// reject a profile next to them.
static const png_byte ignored_chunks[] =
    "tEXt\0zTXt\0iTXt\0sPLT\0pCAL\0sCAL\0hIST\0tIME\0sRGB\0gAMA\0cHRM";

static csluice_status configure(csluice_png_reader *reader) {
    CATCH(reader);
    png_set_read_fn(reader->codec, reader, pull);
    png_set_keep_unknown_chunks(reader->codec, PNG_HANDLE_CHUNK_NEVER, ignored_chunks, sizeof ignored_chunks / 5);
    // The caller has checked the size against its own pixel limit.
    png_set_user_limits(reader->codec, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(reader->codec, chunk_limit);
    png_set_chunk_cache_max(reader->codec, chunk_count_limit);
    return csluice_status_ok;
}

csluice_png_reader *csluice_png_open(csluice_input input) {
    csluice_png_reader *reader = malloc(sizeof *reader);
    if (!reader) return NULL;
    reader->stream.input = input;
    reader->stream.offset = reader->stream.next = reader->stream.available = 0;
    reader->stream.hit_end = false;
    reader->stream.error = 0;
    reader->stream.skipped_count = reader->stream.next_skipped = 0;
    reader->status = csluice_status_ok;
    reader->message[0] = 0;
    reader->info = NULL;
    reader->codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, fail, warn);
    if (reader->codec) reader->info = png_create_info_struct(reader->codec);
    if (!reader->info || configure(reader) != csluice_status_ok) {
        csluice_png_close(reader);
        return NULL;
    }
    return reader;
}

csluice_status csluice_png_allow_truncation(csluice_png_reader *reader) {
    CATCH(reader);
    png_set_compression_buffer_size(reader->codec, 128);
    return csluice_status_ok;
}

/// Requests grey, RGB or RGBA, which libpng produces at no extra cost.
static void choose_transforms(png_structp codec, png_infop info) {
    int colors = png_get_color_type(codec, info);
    bool transparent = (colors & PNG_COLOR_MASK_ALPHA) || png_get_valid(codec, info, PNG_INFO_tRNS);
    png_set_expand(codec);
    if (transparent && !(colors & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(codec);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (png_get_bit_depth(codec, info) == 16) png_set_swap(codec);
#endif
}

csluice_status csluice_png_start(csluice_png_reader *reader, csluice_png_shape *shape) {
    CATCH(reader);
    png_read_info(reader->codec, reader->info);
    choose_transforms(reader->codec, reader->info);
    shape->passes = png_set_interlace_handling(reader->codec);
    reader->interlaced = shape->passes > 1;
    int colors = png_get_color_type(reader->codec, reader->info);
    reader->is_expanded = colors == PNG_COLOR_TYPE_PALETTE || colors == PNG_COLOR_TYPE_GRAY_ALPHA ||
                          png_get_valid(reader->codec, reader->info, PNG_INFO_tRNS) ||
                          png_get_bit_depth(reader->codec, reader->info) < 8;
    png_read_update_info(reader->codec, reader->info);
    shape->width = (int)png_get_image_width(reader->codec, reader->info);
    shape->height = (int)png_get_image_height(reader->codec, reader->info);
    shape->channels = png_get_channels(reader->codec, reader->info);
    shape->depth = png_get_bit_depth(reader->codec, reader->info);
    return csluice_status_ok;
}

bool csluice_png_find_pixels(csluice_png_reader *reader, csluice_png_pixels *pixels) {
    if (reader->status != csluice_status_ok || reader->interlaced || reader->is_expanded) return false;
    png_structp codec = reader->codec;
    int depth = png_get_bit_depth(codec, reader->info);
    const uint8_t *chunk = reader->chunk;
    if (memcmp(chunk + 4, "IDAT", 4) != 0) return false;
    size_t row_bytes = png_get_rowbytes(codec, reader->info), height = png_get_image_height(codec, reader->info);
    // As in libpng: Deflate stores what it cannot compress in blocks with five more bytes.
    size_t bytes = (row_bytes + 1) * height;
    bytes += 11 + bytes / 32566 * 5;
    if (bytes < chunk_limit) bytes = chunk_limit;
    *pixels = (csluice_png_pixels){
        .stream = &reader->stream,
        .length = (uint32_t)chunk[0] << 24 | (uint32_t)chunk[1] << 16 | (uint32_t)chunk[2] << 8 | chunk[3],
        .max_length = bytes < PNG_UINT_31_MAX ? (uint32_t)bytes : PNG_UINT_31_MAX,
        .row_bytes = row_bytes,
        .pixel_bytes = (size_t)png_get_channels(codec, reader->info) * (size_t)depth / 8,
        .height = height,
        .has_16_bits = depth == 16,
    };
    return true;
}

static csluice_status find_profile(csluice_png_reader *reader, const uint8_t **profile, size_t *count) {
    CATCH(reader);
    png_charp name;
    int compression;
    png_bytep bytes;
    png_uint_32 length;
    if (png_get_iCCP(reader->codec, reader->info, &name, &compression, &bytes, &length)) {
        *profile = bytes;
        *count = length;
    }
    return csluice_status_ok;
}

const uint8_t *csluice_png_profile(csluice_png_reader *reader, size_t *count) {
    const uint8_t *profile = NULL;
    *count = 0;
    return find_profile(reader, &profile, count) == csluice_status_ok ? profile : NULL;
}

csluice_status csluice_png_read_row(csluice_png_reader *reader, uint8_t *row) {
    CATCH(reader);
    // Read rows for display: each pass also fills the pixels of later passes, so that a truncated image has no holes.
    png_read_row(reader->codec, reader->interlaced ? NULL : row, reader->interlaced ? row : NULL);
    return csluice_status_ok;
}

csluice_status csluice_png_finish(csluice_png_reader *reader) {
    CATCH(reader);
    png_read_end(reader->codec, NULL);
    return csluice_status_ok;
}

const char *csluice_png_message(const csluice_png_reader *reader) { return reader->message; }

void csluice_png_close(csluice_png_reader *reader) {
    png_destroy_read_struct(&reader->codec, &reader->info, NULL);
    free(reader);
}
