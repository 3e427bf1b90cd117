// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../dispatch.h"
#include "../stream.h"

enum {
    jpg_window_bytes = 3 << 14,
    /// More than the longest block, which has 64 coefficients with at most 31 bits each.
    jpg_max_block_bytes = 256,
    /// The most blocks that are decoded without looking for the end of the data.
    jpg_max_run = 96,
    jpg_max_run_bytes = jpg_max_run * jpg_max_block_bytes,
};

/// The position of a bit reader: unread bits, from the highest bit on, and the bytes after them.
typedef struct {
    uint64_t bits;
    /// The lowest six bits are the number of valid bits; the bits after those equal the next bytes or zero.
    uint32_t count;
    const uint8_t *next;
} jpg_cursor;

/// Reads the entropy-coded data of a scan through a window, from which stuffing has been removed.
typedef struct {
    csluice_stream *stream;
    jpg_cursor cursor;
    /// The end of the bytes in the window.
    uint8_t *end;
    /// The marker that follows the bytes in the window; 0 if it has not been reached.
    int marker;
    /// The number of zeros after the last bytes before a marker, which spare readers from looking for the end.
    size_t padding;
    uint8_t window[jpg_window_bytes + jpg_max_run_bytes];
} jpg_bits;

/// Starts to read a scan at the stream's position.
void jpg_bits_init(jpg_bits *bits, csluice_stream *stream);

/// Makes `count` bytes readable, the last of them zeros if the data ends. Returns false if the file ends.
bool jpg_bits_fill(jpg_bits *bits, size_t count);

/// Returns the marker that follows the last bits; -1 if whole bytes are left before it.
int jpg_bits_finish(jpg_bits *bits);

/// Skips the bits up to the next marker; returns false if the file ends before.
bool jpg_bits_skip(jpg_bits *bits);

/// Continues after a restart marker.
void jpg_bits_restart(jpg_bits *bits);

/// The number of unread bits in the window; negative if the cursor is beyond them.
INLINE ptrdiff_t jpg_bits_left(const jpg_bits *bits) {
    return (bits->end - bits->cursor.next) * 8 + (bits->cursor.count & 63);
}

/// Makes at least 56 bits available.
INLINE void jpg_refill(jpg_cursor *cursor) {
    uint64_t word;
    memcpy(&word, cursor->next, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    cursor->bits |= word >> (cursor->count & 63);
    cursor->next += (~cursor->count & 63) >> 3;
    cursor->count |= 56;
}

/// Skips as many bits as the lowest six bits of `count` say.
INLINE void jpg_consume(jpg_cursor *cursor, uint32_t count) {
    cursor->bits <<= count & 63;
    cursor->count -= count;
}
