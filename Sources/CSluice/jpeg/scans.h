// SPDX-License-Identifier: MIT
#pragma once

#include "blocks.h"

/// The coefficients of 16 blocks, interleaved like those of a `jpg_batch`.
typedef struct {
    int16_t values[jpg_block_size * jpg_lanes];
} jpg_batch_block;

/// The coefficients of one component of a progressive image.
typedef struct {
    /// The number of blocks in a row and a column: in the image, and rounded up to whole MCUs.
    int across, down, padded_across, padded_down;
    /// Each row of blocks is in batches of 16.
    int batches_across;
    /// The coefficients, except the first ones.
    jpg_batch_block *batches;
    /// The first coefficient of each block; they are together because some scans contain only these.
    int16_t *first;
    /// For each batch, the number of coefficients in use.
    uint8_t *used;
    /// For each block, the bits of the coefficients that are not zero; the first coefficient's is the highest.
    uint64_t *nonzero;
    /// For each coefficient, the lowest bit that is known, or -1.
    int8_t known_bits[jpg_block_size];
} jpg_coefficients;

/// Decodes the scans of a progressive image, one row at a time.
typedef struct {
    jpg_bits bits;
    jpg_symbols tables[jpg_max_components];
    jpg_coefficients components[jpg_max_components];
    void *memory;
    int mcus_across, mcus_down;
    /// The number of scans that may still begin.
    int scans_left;
    /// The next row of the current scan, in MCUs or, with a single component, in blocks.
    int row;
    int last_dc[jpg_max_components];
    /// The number of blocks that have no further new coefficients in the current scan.
    uint32_t end_run;
    int restart_left, next_restart;
} jpg_scans;

typedef enum { jpg_scans_more, jpg_scans_complete, jpg_scans_doubt } jpg_scans_state;

/// Allocates the coefficients and prepares to decode the first scan; returns false if that takes more than `memory`
/// bytes, or on doubt.
bool jpg_scans_init(jpg_scans *scans, const jpg_header *header, csluice_stream *stream, size_t memory, int max_scans);

/// Decodes the next row of a scan.
jpg_scans_state jpg_scans_read_row(jpg_scans *scans, jpg_header *header);

/// Decodes a row of `count` MCUs, or of blocks of a single component; returns false on doubt.
bool csluice_jpg_decode_row(jpg_scans *scans, const jpg_header *header, int count);

void jpg_scans_free(jpg_scans *scans);
