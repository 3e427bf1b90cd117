// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
/// Converts as many pixels of a row as fill whole vectors, from YCbCr to RGB, and returns their number; the processor
/// must have AVX2.
size_t jpg_convert_pixels_avx2(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *out, size_t count);
#endif
