// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "csluice_jpeg_decoder.h"
#include "planes.h"

struct csluice_jpeg_decoder {
    jpg_header header;
    jpg_planes planes;
    jpg_blocks blocks;
    /// The number of rows of MCUs that are decoded, and of output rows that the caller has.
    int bands, rows;
    csluice_stream stream;
};

csluice_jpeg_decoder *csluice_jpeg_decoder_open(csluice_input input, int eighths, csluice_jpeg_shape *shape) {
    csluice_jpeg_decoder *decoder = malloc(sizeof *decoder);
    if (!decoder) return NULL;
    csluice_stream_init(&decoder->stream, input);
    decoder->bands = decoder->rows = 0;
    if (!jpg_read_header(&decoder->stream, &decoder->header) ||
        !jpg_blocks_init(&decoder->blocks, &decoder->header, &decoder->stream) ||
        !jpg_planes_init(&decoder->planes, &decoder->header, eighths)) {
        free(decoder);
        return NULL;
    }
    *shape = (csluice_jpeg_shape){
        .width = decoder->planes.width,
        .height = decoder->planes.height,
        .channels = decoder->header.component_count,
        .adobe = decoder->header.has_adobe,
        .several_scans = false,
    };
    return decoder;
}

/// Decodes a row of MCUs.
static bool decode_band(csluice_jpeg_decoder *decoder) {
    jpg_planes *planes = &decoder->planes;
    for (int first = 0; first < planes->mcus_across; first += jpg_lanes) {
        int left = planes->mcus_across - first;
        if (!csluice_jpg_decode_mcus(&decoder->blocks, left < jpg_lanes ? left : jpg_lanes)) return false;
        if (!jpg_planes_transform(planes, &decoder->blocks, first, decoder->bands)) return false;
    }
    decoder->bands++;
    return true;
}

int csluice_jpeg_decoder_read_rows(csluice_jpeg_decoder *decoder, uint8_t *samples, int count) {
    size_t stride = (size_t)decoder->planes.width * (size_t)decoder->header.component_count;
    for (int row = 0; row < count; row++, samples += stride) {
        while (decoder->rows == jpg_planes_ready_rows(&decoder->planes, decoder->bands)) {
            if (!decode_band(decoder)) return row;
        }
        jpg_planes_make_row(&decoder->planes, decoder->rows++, samples);
    }
    return count;
}

bool csluice_jpeg_decoder_finish(csluice_jpeg_decoder *decoder) { return jpg_blocks_finish(&decoder->blocks); }

void csluice_jpeg_decoder_close(csluice_jpeg_decoder *decoder) {
    jpg_planes_free(&decoder->planes);
    free(decoder);
}
