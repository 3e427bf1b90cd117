// SPDX-License-Identifier: MIT
#pragma once

#include "blocks.h"

/// The limits below which all implementations agree: sums of two values must fit 16 bits, and libjpeg's table of
/// samples has this range.
enum { coefficient_limit = 8192, column_limit = 16384, sample_limit = 512 };

/// The zigzag position of each coefficient.
static const uint8_t zigzag[jpg_block_size] = {
    0,  1,  5,  6,  14, 15, 27, 28, 2,  4,  7,  13, 16, 26, 29, 42, 3,  8,  12, 17, 25, 30,
    41, 43, 9,  11, 18, 24, 31, 40, 44, 53, 10, 19, 23, 32, 39, 45, 52, 54, 20, 22, 33, 38,
    46, 51, 55, 60, 21, 34, 37, 47, 50, 56, 59, 61, 35, 36, 48, 49, 57, 58, 62, 63,
};

/// Whether a transform to `size` uses the rows and columns of this index.
INLINE bool is_used(int index, int size) {
    if (size == 8) return true;
    return size == 4 ? index != 4 : index == 0 || index % 2 == 1;
}
