// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Doubles the samples of a row as libjpeg's h2v1 does: each output is 3/4 of the nearer and 1/4 of the further one.
///
/// There are at least three samples.
void csluice_jpg_double_row(const uint8_t *row, uint8_t *out, size_t count);

/// Does the same between two rows as libjpeg's h2v2 does; `near` has three times the weight of `far`.
void csluice_jpg_double_rows(const uint8_t *near, const uint8_t *far, uint8_t *out, size_t count);

/// Writes each sample twice.
void csluice_jpg_repeat_samples(const uint8_t *row, uint8_t *out, size_t count);

/// Converts a row from YCbCr to RGB as libjpeg does. The rows can be read in whole vectors of 16 samples.
void csluice_jpg_convert_row(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *out, size_t count);
