// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "csluice_jpeg.h"
#include "jpeg_errors.h"
#include "output.h"

typedef struct {
    struct jpeg_compress_struct codec;
    csluice_jpeg_errors errors;
    struct jpeg_destination_mgr destination;
    csluice_output output;
} writer;

static void offer_space(j_compress_ptr codec) {
    csluice_output *output = &((writer *)codec)->output;
    if (!csluice_output_grow(output, 1)) {
        csluice_jpeg_fail((j_common_ptr)codec, csluice_status_memory, "no memory for the file");
    }
    codec->dest->next_output_byte = output->bytes + output->count;
    codec->dest->free_in_buffer = output->capacity - output->count;
}

static void begin_output(j_compress_ptr codec) { offer_space(codec); }

static boolean empty_output(j_compress_ptr codec) {
    csluice_output *output = &((writer *)codec)->output;
    output->count = output->capacity;
    offer_space(codec);
    return TRUE;
}

static void end_output(j_compress_ptr codec) {
    csluice_output *output = &((writer *)codec)->output;
    output->count = output->capacity - codec->dest->free_in_buffer;
}

static void configure(j_compress_ptr codec, const csluice_jpeg_options *options) {
    codec->image_width = (JDIMENSION)options->width;
    codec->image_height = (JDIMENSION)options->height;
    codec->input_components = options->channels;
    codec->in_color_space = options->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, options->quality, TRUE);
    if (options->progressive) jpeg_simple_progression(codec);
    if (options->channels == 3) {
        codec->comp_info[0].h_samp_factor = options->shared_across;
        codec->comp_info[0].v_samp_factor = options->shared_down;
    }
}

/// Contains all calls that can jump. State that must survive a jump is in the writer, not in this frame.
static csluice_status write_all(writer *writer, const csluice_jpeg_options *options, const uint8_t *pixels) {
    if (setjmp(writer->errors.jump_buffer)) return writer->errors.status;
    j_compress_ptr codec = &writer->codec;
    jpeg_create_compress(codec);
    writer->destination = (struct jpeg_destination_mgr){
        .init_destination = begin_output,
        .empty_output_buffer = empty_output,
        .term_destination = end_output,
    };
    codec->dest = &writer->destination;
    configure(codec, options);
    jpeg_start_compress(codec, TRUE);
    if (options->exif_count > 0) jpeg_write_marker(codec, JPEG_APP0 + 1, options->exif, (unsigned)options->exif_count);
    if (options->profile_count > 0) jpeg_write_icc_profile(codec, options->profile, (unsigned)options->profile_count);
    size_t stride = (size_t)options->width * (size_t)options->channels;
    while (codec->next_scanline < codec->image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + codec->next_scanline * stride);
        jpeg_write_scanlines(codec, &row, 1);
    }
    jpeg_finish_compress(codec);
    return csluice_status_ok;
}

csluice_status csluice_jpeg_write(const csluice_jpeg_options *options, const uint8_t *pixels, uint8_t **out,
                                  size_t *count) {
    writer writer = {0};
    writer.codec.err = csluice_jpeg_errors_init(&writer.errors);
    csluice_status status = write_all(&writer, options, pixels);
    jpeg_destroy_compress(&writer.codec);
    if (status != csluice_status_ok) {
        free(writer.output.bytes);
        return status;
    }
    *out = writer.output.bytes;
    *count = writer.output.count;
    return csluice_status_ok;
}

int csluice_jpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION_NUMBER
    return LIBJPEG_TURBO_VERSION_NUMBER;
#else
    return JPEG_LIB_VERSION * 100000;
#endif
}
