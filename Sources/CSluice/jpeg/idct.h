// SPDX-License-Identifier: MIT
#pragma once

#include "blocks.h"

/// Transforms 16 blocks into squares of `size` (1, 2, 4 or 8) pixels, next to each other in `size` rows.
///
/// `used` is the number of coefficients that may be other than 0. The results equal those of libjpeg's integer
/// transforms. Returns false if a value is so large that implementations of these differ: some wrap, some saturate.
bool csluice_jpg_transform(const int16_t *batch, const uint16_t *quantization, int used, int size, uint8_t *out,
                            size_t stride);
