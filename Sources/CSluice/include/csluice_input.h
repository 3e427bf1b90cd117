// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The source of an image's bytes: an open file, or memory if the descriptor is negative.
///
/// Exists because libjpeg and libpng read their input through callbacks, which must be C: a callback that jumps on
/// error must have no Swift frame below it. Files are read with `pread`, so their position is neither used nor changed.
typedef struct {
    int descriptor;
    const uint8_t *_Nullable bytes;
    /// The offset of the first byte in the file or the memory.
    size_t start;
    /// The number of bytes to read from the file or the memory, at most.
    size_t count;
    /// Bytes that follow those; none if the count is 0.
    const uint8_t *_Nullable tail;
    size_t tail_count;
} csluice_input;

/// A range of offsets in an input.
typedef struct {
    size_t start, end;
} csluice_range;
