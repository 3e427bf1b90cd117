// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Where a picture's bytes come from: an open file, or memory if the descriptor is negative.
///
/// It exists because libjpeg and libpng pull their input by callbacks which may only be C: one that jumps past an error
/// must have no Swift frame below it. A file is read with `pread`, so that its position is nobody's concern.
typedef struct {
    int descriptor;
    const uint8_t *_Nullable bytes;
    size_t count;
} csluice_input;
