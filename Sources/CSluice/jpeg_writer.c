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

static void offer_room(j_compress_ptr codec) {
    csluice_output *output = &((writer *)codec)->output;
    if (!csluice_output_grow(output, 1)) {
        csluice_jpeg_fail((j_common_ptr)codec, csluice_verdict_memory, "no memory for the file");
    }
    codec->dest->next_output_byte = output->bytes + output->count;
    codec->dest->free_in_buffer = output->capacity - output->count;
}

static void begin_output(j_compress_ptr codec) { offer_room(codec); }

static boolean empty_output(j_compress_ptr codec) {
    csluice_output *output = &((writer *)codec)->output;
    output->count = output->capacity;
    offer_room(codec);
    return TRUE;
}

static void end_output(j_compress_ptr codec) {
    csluice_output *output = &((writer *)codec)->output;
    output->count = output->capacity - codec->dest->free_in_buffer;
}

static void configure(j_compress_ptr codec, const csluice_jpeg_plan *plan) {
    codec->image_width = (JDIMENSION)plan->width;
    codec->image_height = (JDIMENSION)plan->height;
    codec->input_components = plan->channels;
    codec->in_color_space = plan->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, plan->quality, TRUE);
    if (plan->progressive) jpeg_simple_progression(codec);
    if (plan->channels == 3) {
        codec->comp_info[0].h_samp_factor = plan->shared_across;
        codec->comp_info[0].v_samp_factor = plan->shared_down;
    }
}

/// Everything that can jump; what must live through the jump is in the writer, not in this frame.
static csluice_verdict write_all(writer *writer, const csluice_jpeg_plan *plan, const uint8_t *pixels) {
    if (setjmp(writer->errors.landing)) return writer->errors.verdict;
    j_compress_ptr codec = &writer->codec;
    jpeg_create_compress(codec);
    writer->destination = (struct jpeg_destination_mgr){
        .init_destination = begin_output,
        .empty_output_buffer = empty_output,
        .term_destination = end_output,
    };
    codec->dest = &writer->destination;
    configure(codec, plan);
    jpeg_start_compress(codec, TRUE);
    if (plan->exif_count > 0) jpeg_write_marker(codec, JPEG_APP0 + 1, plan->exif, (unsigned)plan->exif_count);
    if (plan->profile_count > 0) jpeg_write_icc_profile(codec, plan->profile, (unsigned)plan->profile_count);
    size_t stride = (size_t)plan->width * (size_t)plan->channels;
    while (codec->next_scanline < codec->image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + codec->next_scanline * stride);
        jpeg_write_scanlines(codec, &row, 1);
    }
    jpeg_finish_compress(codec);
    return csluice_verdict_ok;
}

csluice_verdict csluice_jpeg_write(const csluice_jpeg_plan *plan, const uint8_t *pixels, uint8_t **out,
                                   size_t *count) {
    writer writer = {0};
    writer.codec.err = csluice_jpeg_errors_init(&writer.errors);
    csluice_verdict verdict = write_all(&writer, plan, pixels);
    jpeg_destroy_compress(&writer.codec);
    if (verdict != csluice_verdict_ok) {
        free(writer.output.bytes);
        return verdict;
    }
    *out = writer.output.bytes;
    *count = writer.output.count;
    return csluice_verdict_ok;
}

int csluice_jpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION_NUMBER
    return LIBJPEG_TURBO_VERSION_NUMBER;
#else
    return JPEG_LIB_VERSION * 100000;
#endif
}
