// SPDX-License-Identifier: MIT
#include "csluice_png_decoder.h"

#include <stdlib.h>
#include <string.h>

#include "../png_pixels.h"
#include "checksums.h"
#include "inflate.h"
#include "unfilter.h"

/// The longest row in bytes, so that little memory is used.
enum { max_row_bytes = 1 << 20 };

struct csluice_png_decoder {
    size_t row_bytes, pixel_bytes, rows_left;
    bool has_16_bits;
    uint32_t checksum;
    /// The last two rows, each followed by padding.
    uint8_t *above, *row, *rows;
    csluice_chunks chunks;
    csluice_inflate inflate;
};

csluice_png_decoder *csluice_png_decoder_open(csluice_png_reader *reader) {
    csluice_png_pixels pixels;
    if (!csluice_png_find_pixels(reader, &pixels) || pixels.row_bytes > max_row_bytes) return NULL;
    if (pixels.length > pixels.max_length) return NULL;
    csluice_png_decoder *decoder = malloc(sizeof *decoder);
    if (!decoder) return NULL;
    decoder->row_bytes = pixels.row_bytes;
    decoder->pixel_bytes = pixels.pixel_bytes;
    decoder->rows_left = pixels.height;
    decoder->has_16_bits = pixels.has_16_bits;
    decoder->checksum = 1;
    size_t padded = pixels.row_bytes + csluice_unfilter_padding;
    decoder->rows = decoder->above = calloc(2, padded);
    decoder->row = decoder->rows + padded;
    csluice_chunks_init(&decoder->chunks, pixels.stream, pixels.length, pixels.max_length);
    if (!decoder->rows || !csluice_inflate_init(&decoder->inflate, &decoder->chunks, pixels.row_bytes + 1)) {
        free(decoder->rows);
        free(decoder);
        return NULL;
    }
    return decoder;
}

/// Returns whether the file ends without damage after the last row.
static bool finish(csluice_png_decoder *decoder) {
    return csluice_inflate_finish(&decoder->inflate, decoder->checksum) && csluice_chunks_finish(&decoder->chunks);
}

/// Copies samples of two bytes in the machine's byte order.
static void copy_samples(const uint8_t *from, uint8_t *row, size_t bytes) {
    for (size_t index = 0; index < bytes; index += 2) {
        uint16_t sample;
        memcpy(&sample, from + index, 2);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        sample = __builtin_bswap16(sample);
#endif
        memcpy(row + index, &sample, 2);
    }
}

bool csluice_png_decoder_read_row(csluice_png_decoder *decoder, uint8_t *row) {
    const uint8_t *filtered = csluice_inflate_row(&decoder->inflate, decoder->row_bytes + 1);
    if (!filtered) return false;
    decoder->checksum = csluice_png_adler32(decoder->checksum, filtered, decoder->row_bytes + 1);
    uint8_t *above = decoder->above;
    if (!csluice_unfilter(filtered, above, decoder->row, decoder->row_bytes, decoder->pixel_bytes)) return false;
    if (--decoder->rows_left == 0 && !finish(decoder)) return false;
    if (decoder->has_16_bits) {
        copy_samples(decoder->row, row, decoder->row_bytes);
    } else {
        memcpy(row, decoder->row, decoder->row_bytes);
    }
    decoder->above = decoder->row;
    decoder->row = above;
    return true;
}

void csluice_png_decoder_close(csluice_png_decoder *decoder) {
    csluice_inflate_free(&decoder->inflate);
    free(decoder->rows);
    free(decoder);
}
