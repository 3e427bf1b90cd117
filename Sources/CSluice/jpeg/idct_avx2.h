// SPDX-License-Identifier: MIT
#pragma once

#include "idct.h"

#if defined(__x86_64__)
/// Does the same as `csluice_jpg_transform` for sizes above 1, in half of the time; the processor must have AVX2.
bool jpg_transform_avx2(const int16_t *batch, const uint16_t *quantization, int used, int size, uint8_t *out,
                        size_t stride);
#endif
