// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "csluice_input.h"

/// Reads up to `count` bytes at an offset; returns 0 at the end of the input, and -1 with `errno` after an error.
ssize_t csluice_input_read(const csluice_input *input, size_t offset, uint8_t *out, size_t count);

enum { csluice_max_skipped_ranges = 32 };

/// A read-ahead buffer over an input; a large file is never held in memory as a whole. The bytes of an input in memory
/// are not copied to the buffer.
///
/// The buffer is longer than most photos on the web, because libjpeg-turbo takes a slower path near the end of its
/// buffer.
typedef struct {
    csluice_input input;
    size_t offset;
    /// The bytes that were read; `next` is the index of the first unread one.
    const uint8_t *bytes;
    size_t next, available;
    bool hit_end;
    int error;
    csluice_range skipped_ranges[csluice_max_skipped_ranges];
    size_t skipped_count, next_skipped;
    uint8_t buffer[1 << 18];
} csluice_stream;

/// Starts to read an input from its beginning.
void csluice_stream_init(csluice_stream *stream, csluice_input input);
/// Leaves out a range; call in ascending order and before the first read. Further ranges than
/// `csluice_max_skipped_ranges` are not left out.
void csluice_stream_skip_range(csluice_stream *stream, csluice_range range);
/// Continues at an offset in the input; not with skipped ranges.
void csluice_stream_seek(csluice_stream *stream, size_t offset);
/// Refills an empty buffer; returns false at the end of the input, or on an error, which `error` then holds.
bool csluice_stream_fill(csluice_stream *stream);
/// Reads exactly `count` bytes; returns false if the input ends before that.
bool csluice_stream_read(csluice_stream *stream, uint8_t *out, size_t count);
/// Skips `count` bytes, possibly beyond the end.
void csluice_stream_skip(csluice_stream *stream, size_t count);
