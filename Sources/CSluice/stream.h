// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

#include "csluice_input.h"

/// A stretch of the input that is not read.
typedef struct {
    size_t start, end;
} csluice_gap;

enum { csluice_most_gaps = 32 };

/// A read-ahead over an input; a large file is never held whole.
///
/// It is as long as most photos of the web, since libjpeg-turbo takes a slower way near the end of what it is given.
typedef struct {
    csluice_input input;
    size_t offset;
    size_t next, available;
    bool hit_end;
    int error;
    csluice_gap gaps[csluice_most_gaps];
    size_t gap_count, next_gap;
    uint8_t buffer[1 << 18];
} csluice_stream;

/// Refills an empty buffer; false at the end of the input, or on an error (which `error` then tells).
bool csluice_stream_fill(csluice_stream *stream);
/// Reads exactly `count` bytes; false if the input ends before.
bool csluice_stream_read(csluice_stream *stream, uint8_t *out, size_t count);
/// Leaves `count` bytes out, even past the end.
void csluice_stream_skip(csluice_stream *stream, size_t count);
