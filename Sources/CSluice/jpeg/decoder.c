// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "csluice_jpeg_decoder.h"
#include "planes.h"

struct csluice_jpeg_decoder {
    jpg_header header;
    jpg_planes planes;
    int eighths;
    /// The number of rows of MCUs that are in the planes, and of output rows that the caller has.
    int bands, rows;
    /// The row of MCUs that a baseline image's data continue with.
    int next_band;
    /// Whether all scans of a progressive image are decoded.
    bool has_scans;
    csluice_stream stream;
    /// For baseline and progressive images.
    union {
        jpg_blocks blocks;
        jpg_scans scans;
    };
};

_Static_assert(sizeof(csluice_jpeg_decoder) < 1 << 19, "callers count this much for a second decoder");

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
    decoder->bands = decoder->rows = decoder->next_band = 0;
    decoder->eighths = eighths;
    decoder->has_scans = false;
    if (!jpg_read_header(&decoder->stream, &decoder->header) ||
        !jpg_planes_init(&decoder->planes, &decoder->header, eighths, 2)) {
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

/// Decodes a row of MCUs of a baseline image, and skips those before it.
static bool read_band(csluice_jpeg_decoder *decoder, const jpg_planes *planes, int band) {
    jpg_blocks *blocks = &decoder->blocks;
    if (!jpg_blocks_skip(blocks, (size_t)(band - decoder->next_band) * (size_t)planes->mcus_across)) return false;
    for (int first = 0; first < planes->mcus_across; first += jpg_lanes) {
        int left = planes->mcus_across - first;
        if (!csluice_jpg_decode_mcus(blocks, left < jpg_lanes ? left : jpg_lanes)) return false;
        if (!jpg_planes_transform(planes, blocks, first, band)) return false;
    }
    decoder->next_band = band + 1;
    return true;
}

/// Decodes a row of MCUs.
static bool decode_band(csluice_jpeg_decoder *decoder) {
    jpg_planes *planes = &decoder->planes;
    if (!decoder->header.is_progressive) return read_band(decoder, planes, decoder->bands++);
    return decoder->has_scans && jpg_planes_transform_band(planes, &decoder->scans, decoder->bands++);
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

int csluice_jpeg_decoder_begin_strips(csluice_jpeg_decoder *decoder, size_t pixels, int *mcu_rows) {
    const jpg_header *header = &decoder->header;
    const jpg_planes *planes = &decoder->planes;
    bool has_markers = header->restart_interval > 0 && header->restart_interval <= planes->mcus_across;
    if (header->is_progressive || !has_markers) return 0;
    size_t band_pixels = (size_t)header->width * (size_t)(planes->band_height * 8 / decoder->eighths);
    int count = (int)(pixels / band_pixels);
    if (count == 0) count = 1;
    // Two strips are decoded while the rows of a third are made, for which the last band of a fourth may be needed.
    jpg_planes larger;
    if (!jpg_planes_init(&larger, header, decoder->eighths, 3 * count + 1)) return 0;
    jpg_planes_free(&decoder->planes);
    decoder->planes = larger;
    *mcu_rows = (planes->height + planes->band_height - 1) / planes->band_height;
    return count;
}

csluice_jpeg_position csluice_jpeg_decoder_position(const csluice_jpeg_decoder *decoder) {
    return (csluice_jpeg_position){
        .offset = decoder->stream.offset - decoder->stream.available,
        .marker = decoder->blocks.bits.marker,
        .mcu_row = decoder->next_band,
        .restart_left = decoder->blocks.restart_left,
        .next_restart = decoder->blocks.next_restart,
    };
}

/// Continues where another decoder of the same file is. Up to the next marker there is nothing to decode.
static void move_to(csluice_jpeg_decoder *decoder, csluice_jpeg_position position) {
    jpg_blocks *blocks = &decoder->blocks;
    csluice_stream_seek(&decoder->stream, position.offset);
    jpg_bits_restart(&blocks->bits);
    blocks->bits.marker = position.marker;
    blocks->restart_left = position.restart_left;
    blocks->next_restart = position.next_restart;
    decoder->next_band = position.mcu_row;
}

bool csluice_jpeg_decoder_read_strip(csluice_jpeg_decoder *decoder, const csluice_jpeg_decoder *target,
                                     csluice_jpeg_position position, int first, int count) {
    // The file may have changed since the other decoder was opened.
    if (decoder->header.is_progressive) return false;
    if (decoder->next_band < position.mcu_row) move_to(decoder, position);
    for (int band = first; band < first + count; band++) {
        if (!read_band(decoder, &target->planes, band)) return false;
    }
    return jpg_blocks_end_interval(&decoder->blocks);
}

bool csluice_jpeg_decoder_add_strip(csluice_jpeg_decoder *decoder, int count) {
    decoder->bands += count;
    return jpg_blocks_end_interval(&decoder->blocks);
}

int csluice_jpeg_decoder_ready_rows(const csluice_jpeg_decoder *decoder, int mcu_rows) {
    return jpg_planes_ready_rows(&decoder->planes, mcu_rows);
}

bool csluice_jpeg_decoder_finish(csluice_jpeg_decoder *decoder) {
    return decoder->header.is_progressive || jpg_blocks_finish(&decoder->blocks);
}

void csluice_jpeg_decoder_close(csluice_jpeg_decoder *decoder) {
    if (decoder->header.is_progressive) jpg_scans_free(&decoder->scans);
    jpg_planes_free(&decoder->planes);
    free(decoder);
}
