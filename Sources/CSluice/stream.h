// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

#include "csluice_input.h"

/// A small read-ahead over an input; the whole file is never held.
typedef struct {
    csluice_input input;
    size_t offset;
    size_t next, available;
    bool hit_end;
    int error;
    uint8_t buffer[32768];
} csluice_stream;

/// Refills an empty buffer; false at the end of the input, or on an error (which `error` then tells).
bool csluice_stream_fill(csluice_stream *stream);
/// Reads exactly `count` bytes; false if the input ends before.
bool csluice_stream_read(csluice_stream *stream, uint8_t *out, size_t count);
/// Leaves `count` bytes out, even past the end.
void csluice_stream_skip(csluice_stream *stream, size_t count);
