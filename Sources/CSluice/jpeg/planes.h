// SPDX-License-Identifier: MIT
#pragma once

#include "scans.h"

/// How a component's samples become as many as luma's.
typedef enum {
    jpg_upsampling_none,
    jpg_upsampling_repeat_across,
    jpg_upsampling_repeat_both,
    jpg_upsampling_smooth_across,
    jpg_upsampling_smooth_both,
} jpg_upsampling;

/// One component's samples: the latest bands, each of one row of MCUs.
typedef struct {
    const uint16_t *quantization;
    /// The number of blocks in an MCU.
    int across, down;
    /// The side of a block in samples after the transform.
    int block_side;
    /// The number of samples in a row and a column of the whole image.
    int width, height;
    /// The number of rows in a band, and of those in memory.
    int band_height, kept_height;
    jpg_upsampling upsampling;
    /// The length of a row in memory.
    size_t stride;
    uint8_t *samples;
} jpg_plane;

typedef struct {
    int width, height;
    int plane_count;
    jpg_plane planes[jpg_max_components];
    /// The number of MCUs in a row, and of output rows in a row of MCUs.
    int mcus_across, band_height;
    uint8_t *memory;
    /// Rows of chroma with as many samples as the output.
    uint8_t *upsampled[2];
} jpg_planes;

/// Plans the planes at `eighths`/8 of the size and allocates them; returns false if there is no memory.
///
/// At least two bands are kept, because the upsampling of a band needs the one before.
bool jpg_planes_init(jpg_planes *planes, const jpg_header *header, int eighths, int bands_kept);

/// Transforms the batches of 16 MCUs, which are numbered from `first_mcu` on in the MCU row `band`, and clears them.
bool jpg_planes_transform(const jpg_planes *planes, jpg_blocks *blocks, int first_mcu, int band);

/// Transforms the row of MCUs `band` of a progressive image.
bool jpg_planes_transform_band(jpg_planes *planes, jpg_scans *scans, int band);

/// Returns the number of output rows that can be made after a number of bands.
int jpg_planes_ready_rows(const jpg_planes *planes, int bands);

/// Makes an output row from two bands that are in memory.
void jpg_planes_make_row(const jpg_planes *planes, int row, uint8_t *out);

void jpg_planes_free(jpg_planes *planes);
