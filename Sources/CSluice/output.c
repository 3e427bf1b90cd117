// SPDX-License-Identifier: MIT
#include "output.h"

#include <stdlib.h>

bool csluice_output_grow(csluice_output *output, size_t more) {
    if (output->capacity - output->count >= more) return true;
    size_t wanted = output->count + more;
    size_t capacity = output->capacity < 16384 ? 16384 : output->capacity * 2;
    if (capacity < wanted) capacity = wanted;
    uint8_t *bytes = realloc(output->bytes, capacity);
    if (!bytes) return false;
    output->bytes = bytes;
    output->capacity = capacity;
    return true;
}
