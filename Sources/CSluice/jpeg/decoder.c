// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "csluice_jpeg_decoder.h"
#include "planes.h"

struct csluice_jpeg_decoder {
    jpg_header header;
    jpg_planes planes;
    /// The number of rows of MCUs that are decoded, and of output rows that the caller has.
    int bands, rows;
    /// Whether all scans of a progressive image are decoded.
    bool has_scans;
    csluice_stream stream;
    /// For baseline and progressive images.
    union {
        jpg_blocks blocks;
        jpg_scans scans;
    };
};

/// Prepares to decode the first scan.
static bool begin_scan(csluice_jpeg_decoder *decoder, size_t memory, int max_scans) {
    jpg_header *header = &decoder->header;
    if (header->is_progressive) return jpg_scans_init(&decoder->scans, header, &decoder->stream, memory, max_scans);
    return jpg_blocks_init(&decoder->blocks, header, &decoder->stream);
}

csluice_jpeg_decoder *csluice_jpeg_decoder_open(csluice_input input, int eighths, size_t memory, int max_scans,
                                                const csluice_range *skipped, int skipped_count,
                                                csluice_jpeg_shape *shape) {
    csluice_jpeg_decoder *decoder = malloc(sizeof *decoder);
    if (!decoder) return NULL;
    csluice_stream_init(&decoder->stream, input);
    for (int i = 0; i < skipped_count; i++) csluice_stream_skip_range(&decoder->stream, skipped[i]);
    decoder->bands = decoder->rows = 0;
    decoder->has_scans = false;
    if (!jpg_read_header(&decoder->stream, &decoder->header) ||
        !jpg_planes_init(&decoder->planes, &decoder->header, eighths)) {
        free(decoder);
        return NULL;
    }
    if (!begin_scan(decoder, memory, max_scans)) {
        jpg_planes_free(&decoder->planes);
        free(decoder);
        return NULL;
    }
    *shape = (csluice_jpeg_shape){
        .width = decoder->planes.width,
        .height = decoder->planes.height,
        .channels = decoder->header.component_count,
        .several_scans = decoder->header.is_progressive,
    };
    return decoder;
}

csluice_jpeg_decoder_state csluice_jpeg_decoder_read_scans(csluice_jpeg_decoder *decoder) {
    if (!decoder->header.is_progressive) return csluice_jpeg_decoder_ready;
    switch (jpg_scans_read_row(&decoder->scans, &decoder->header)) {
    case jpg_scans_more: return csluice_jpeg_decoder_reading;
    case jpg_scans_complete: decoder->has_scans = true; return csluice_jpeg_decoder_ready;
    case jpg_scans_doubt: break;
    }
    return csluice_jpeg_decoder_gave_up;
}

/// Decodes a row of MCUs.
static bool decode_band(csluice_jpeg_decoder *decoder) {
    jpg_planes *planes = &decoder->planes;
    if (decoder->header.is_progressive) {
        if (!decoder->has_scans) return false;
        return jpg_planes_transform_band(planes, &decoder->scans, decoder->bands++);
    }
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

bool csluice_jpeg_decoder_finish(csluice_jpeg_decoder *decoder) {
    return decoder->header.is_progressive || jpg_blocks_finish(&decoder->blocks);
}

void csluice_jpeg_decoder_close(csluice_jpeg_decoder *decoder) {
    if (decoder->header.is_progressive) jpg_scans_free(&decoder->scans);
    jpg_planes_free(&decoder->planes);
    free(decoder);
}
