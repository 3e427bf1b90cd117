// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that grow as they are written; whoever holds them at the end frees them.
typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
} csluice_output;

/// Makes room for at least `more` bytes behind those that are there; false if there is no memory.
bool csluice_output_grow(csluice_output *output, size_t more);
