// SPDX-License-Identifier: MIT
#pragma once

#include "huffman.h"

enum {
    /// The number of blocks that are transformed together, and of MCUs that are decoded together.
    jpg_lanes = 16,
    jpg_max_mcu_blocks = jpg_max_run / jpg_lanes,
    /// A table entry may store values of no use beyond the end of a block, up to 64 places.
    jpg_batch_rows = 2 * jpg_block_size,
};

/// The coefficients of 16 blocks, interleaved: coefficient `k`, in zigzag order, of block `b` is at `k * 16 + b`.
typedef int16_t jpg_batch[jpg_batch_rows * jpg_lanes];

/// A block to decode.
typedef struct {
    /// The tables of the first coefficient and of the others.
    const jpg_table *dc, *ac;
    /// The first coefficient; the distance to the next one is that of a batch.
    int16_t *coefficients;
    /// After decoding, the number of coefficients in use.
    unsigned used;
    int component, batch;
} jpg_block;

/// Decodes the coefficients of a sequential scan.
typedef struct {
    jpg_bits bits;
    jpg_table dc[jpg_max_components];
    /// By slot, since components that share a table should share it in the cache.
    jpg_table ac[jpg_table_slots];
    int last_dc[jpg_max_components];
    /// The blocks of 16 MCUs in their order, and one more that is not decoded.
    int mcu_blocks;
    jpg_block blocks[jpg_max_run + 2];
    /// The number of MCUs up to the next restart marker.
    int restart_interval, restart_left, next_restart;
    jpg_batch batches[jpg_max_mcu_blocks];
    /// For each batch, the number of coefficients in use; those above it are zero.
    uint8_t used[jpg_max_mcu_blocks];
} jpg_blocks;

/// Prepares to decode a scan whose data starts at the stream's position; returns false if a table is unusual.
bool jpg_blocks_init(jpg_blocks *blocks, const jpg_header *header, csluice_stream *stream);

/// Decodes up to 16 MCUs into the batches, which must be clear; returns false on any doubt about the data.
bool csluice_jpg_decode_mcus(jpg_blocks *blocks, int count);

/// Clears the coefficients of a batch that are in use.
INLINE void jpg_blocks_clear(jpg_blocks *blocks, int batch) {
    memset(blocks->batches[batch], 0, blocks->used[batch] * jpg_lanes * sizeof(int16_t));
    blocks->used[batch] = 0;
}

/// Skips `count` MCUs up to the next one to decode, as few as possible of them by decoding; the batches must be clear.
///
/// Only files with restart markers can be skipped through. Returns false on doubt.
bool jpg_blocks_skip(jpg_blocks *blocks, size_t count);

/// Returns false if a restart marker should follow the last MCU, and the data does not end right there.
bool jpg_blocks_end_interval(jpg_blocks *blocks);

/// Returns whether the data ends right after the last MCU, with the end marker.
bool jpg_blocks_finish(jpg_blocks *blocks);
