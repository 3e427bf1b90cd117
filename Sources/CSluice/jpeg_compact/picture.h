// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csluice_jpeg.h"

enum { cjc_block = 64, cjc_max_components = 3 };

/// One component of a picture that is being written.
typedef struct {
    /// The number of blocks in an MCU.
    int across, down;
    /// The number of blocks with samples.
    int columns, rows;
    /// The number of blocks in whole MCUs.
    int stride, depth;
    /// The transformed samples in zigzag order; 16 is one.
    int16_t *coefficients;
    /// The coefficients after quantisation.
    int16_t *levels;
    /// For each block, a bit for each level that is not zero, except for the first.
    uint64_t *used;
} cjc_component;

typedef struct {
    int count;
    cjc_component components[cjc_max_components];
    /// Owns the arrays of all components.
    void *memory;
} cjc_picture;

/// The natural place of each coefficient in zigzag order.
extern const uint8_t cjc_zigzag[cjc_block];

/// Converts and transforms a picture's pixels; returns false if there is no memory.
///
/// White and black areas may exceed the range by up to `bulges`.
bool cjc_picture_init(cjc_picture *picture, const csluice_jpeg_options *options, const uint8_t *pixels, int bulges);

void cjc_picture_free(cjc_picture *picture);

/// Fills `tables` with the quantisation of luma and chroma, in zigzag order.
void cjc_make_tables(uint16_t tables[2][cjc_block], const csluice_jpeg_options *options);

/// Chooses the levels that look best for their bits.
void cjc_picture_quantize(cjc_picture *picture, const uint16_t tables[2][cjc_block]);
