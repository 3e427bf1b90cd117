// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A growing byte buffer; the caller frees `bytes`.
typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
} csluice_output;

/// Reserves space for at least `more` further bytes; returns false if memory is exhausted.
bool csluice_output_grow(csluice_output *output, size_t more);
