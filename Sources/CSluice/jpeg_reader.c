// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "csluice_jpeg.h"
#include "jpeg_errors.h"
#include "stream.h"

struct csluice_jpeg_reader {
    struct jpeg_decompress_struct codec;
    csluice_jpeg_errors errors;
    struct jpeg_source_mgr source;
    csluice_stream stream;
    bool allows_truncation, is_truncated;
};

/// Returns the status of an earlier failed call, and catches a jump out of this one.
#define CATCH(reader)                                                             \
    if ((reader)->errors.status != csluice_status_ok) return (reader)->errors.status; \
    if (setjmp((reader)->errors.jump_buffer)) return (reader)->errors.status

static const char missing_end[] = "no JPEG end marker";

static csluice_stream *stream_of(j_decompress_ptr codec) { return &((csluice_jpeg_reader *)codec)->stream; }

static void begin_source(j_decompress_ptr codec) { (void)codec; }

/// Supplies an end marker where the file ends too early.
static void end_early(j_decompress_ptr codec) {
    static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
    codec->src->next_input_byte = end_marker;
    codec->src->bytes_in_buffer = sizeof end_marker;
    ((csluice_jpeg_reader *)codec)->is_truncated = true;
}

static boolean fill_source(j_decompress_ptr codec) {
    csluice_stream *stream = stream_of(codec);
    if (!csluice_stream_fill(stream)) {
        if (stream->error) csluice_jpeg_fail((j_common_ptr)codec, csluice_status_disk, strerror(stream->error));
        if (!((csluice_jpeg_reader *)codec)->allows_truncation) {
            csluice_jpeg_fail((j_common_ptr)codec, csluice_status_truncated, missing_end);
        }
        end_early(codec);
        return TRUE;
    }
    codec->src->next_input_byte = stream->bytes;
    codec->src->bytes_in_buffer = stream->available;
    return TRUE;
}

static void skip_source(j_decompress_ptr codec, long count) {
    if (count <= 0) return;
    struct jpeg_source_mgr *source = codec->src;
    if ((size_t)count <= source->bytes_in_buffer) {
        source->next_input_byte += count;
        source->bytes_in_buffer -= (size_t)count;
        return;
    }
    csluice_stream *stream = stream_of(codec);
    stream->available = 0;
    csluice_stream_skip(stream, (size_t)count - source->bytes_in_buffer);
    source->bytes_in_buffer = 0;
}

static void end_source(j_decompress_ptr codec) { (void)codec; }

csluice_jpeg_reader *csluice_jpeg_open(csluice_input input, size_t memory) {
    csluice_jpeg_reader *reader = malloc(sizeof *reader);
    if (!reader) return NULL;
    memset(&reader->codec, 0, sizeof reader->codec);
    csluice_stream_init(&reader->stream, input);
    reader->allows_truncation = reader->is_truncated = false;
    reader->source = (struct jpeg_source_mgr){
        .init_source = begin_source,
        .fill_input_buffer = fill_source,
        .skip_input_data = skip_source,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = end_source,
    };
    reader->codec.err = csluice_jpeg_errors_init(&reader->errors);
    if (setjmp(reader->errors.jump_buffer)) {
        jpeg_destroy_decompress(&reader->codec);
        free(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->codec);
    reader->codec.src = &reader->source;
    reader->codec.mem->max_memory_to_use = (long)memory;
    return reader;
}

void csluice_jpeg_allow_truncation(csluice_jpeg_reader *reader) { reader->allows_truncation = true; }

void csluice_jpeg_skip_range(csluice_jpeg_reader *reader, size_t start, size_t end) {
    csluice_stream_skip_range(&reader->stream, (csluice_range){start, end});
}

/// Requests grey, RGB or CMYK, the only layouts that the caller handles.
static void choose_colors(j_decompress_ptr codec) {
    switch (codec->num_components) {
    case 1:
        codec->out_color_space = JCS_GRAYSCALE;
        break;
    case 3:
        codec->out_color_space = JCS_RGB;
        break;
    case 4:
        codec->out_color_space = JCS_CMYK;
        break;
    default:
        csluice_jpeg_fail((j_common_ptr)codec, csluice_status_unsupported,
                          "JPEG with an unsupported number of components");
    }
}

csluice_status csluice_jpeg_start(csluice_jpeg_reader *reader, int eighths, csluice_jpeg_shape *shape) {
    CATCH(reader);
    j_decompress_ptr codec = &reader->codec;
    jpeg_read_header(codec, TRUE);
    choose_colors(codec);
    codec->scale_num = (unsigned)eighths;
    codec->scale_denom = 8;
    codec->buffered_image = jpeg_has_multiple_scans(codec);
    // Smoothing guesses the content of missing scans, but rows are made only after all scans have arrived.
    codec->do_block_smoothing = FALSE;
    jpeg_start_decompress(codec);
    shape->width = (int)codec->output_width;
    shape->height = (int)codec->output_height;
    shape->channels = codec->output_components;
    shape->several_scans = codec->buffered_image;
    return csluice_status_ok;
}

csluice_status csluice_jpeg_consume(csluice_jpeg_reader *reader, int *scan, bool *done) {
    CATCH(reader);
    *done = jpeg_consume_input(&reader->codec) == JPEG_REACHED_EOI;
    *scan = reader->codec.input_scan_number;
    return csluice_status_ok;
}

/// Detects components whose DC scan never came. They are flat, and libjpeg warns only if it meets a later scan.
static void check_first_scans(j_decompress_ptr codec) {
    if (!codec->coef_bits) return;
    for (int component = 0; component < codec->num_components; component++) {
        if (codec->coef_bits[component][0] >= 0) continue;
        csluice_jpeg_add_damage((j_common_ptr)codec, "a colour component lacks its first scan");
    }
}

csluice_status csluice_jpeg_start_rows(csluice_jpeg_reader *reader) {
    CATCH(reader);
    check_first_scans(&reader->codec);
    jpeg_start_output(&reader->codec, reader->codec.input_scan_number);
    return csluice_status_ok;
}

csluice_status csluice_jpeg_read_rows(csluice_jpeg_reader *reader, uint8_t *samples, int count) {
    CATCH(reader);
    j_decompress_ptr codec = &reader->codec;
    size_t stride = codec->output_width * (size_t)codec->output_components;
    JDIMENSION end = codec->output_scanline + (JDIMENSION)count;
    while (codec->output_scanline < end) {
        JSAMPROW rows[] = {samples, samples + stride};
        samples += stride * jpeg_read_scanlines(codec, rows, end - codec->output_scanline < 2 ? 1 : 2);
    }
    return csluice_status_ok;
}

csluice_status csluice_jpeg_finish(csluice_jpeg_reader *reader) {
    CATCH(reader);
    if (reader->codec.buffered_image) jpeg_finish_output(&reader->codec);
    jpeg_finish_decompress(&reader->codec);
    if (reader->is_truncated) csluice_jpeg_fail((j_common_ptr)&reader->codec, csluice_status_truncated, missing_end);
    return csluice_status_ok;
}

const char *csluice_jpeg_message(const csluice_jpeg_reader *reader) { return reader->errors.message; }

int csluice_jpeg_damage_count(const csluice_jpeg_reader *reader) { return reader->errors.damage; }

int csluice_jpeg_harmless_count(const csluice_jpeg_reader *reader) { return reader->errors.harmless; }

void csluice_jpeg_close(csluice_jpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->codec);
    free(reader);
}
