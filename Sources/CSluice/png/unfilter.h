// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /// The bytes beyond the ends of rows that may be read and written.
    csluice_unfilter_padding = 16,
};

/// Reverses a row's PNG filter: `filtered` starts with its number, and a pixel of `above` and `row` has `pixel_bytes`
/// bytes. Returns false for an unknown filter.
bool csluice_unfilter(const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, size_t pixel_bytes);
