// SPDX-License-Identifier: MIT
#include "bits.h"

void jpg_bits_init(jpg_bits *bits, csluice_stream *stream) {
    bits->stream = stream;
    jpg_bits_restart(bits);
}

void jpg_bits_restart(jpg_bits *bits) {
    bits->end = bits->window;
    bits->cursor = (jpg_cursor){.next = bits->window};
    bits->marker = 0;
    bits->padding = 0;
}

/// Reads the byte after 0xFF: it was stuffed, or is a marker.
static bool unstuff(jpg_bits *bits) {
    uint8_t byte;
    if (!csluice_stream_read(bits->stream, &byte, 1)) return false;
    if (byte == 0) {
        *bits->end++ = 0xFF;
    } else {
        bits->marker = byte;
    }
    return true;
}

/// Appends bytes to the window until it is full or a marker follows; returns false if the file ends before.
static bool append(jpg_bits *bits) {
    csluice_stream *stream = bits->stream;
    const uint8_t *limit = bits->window + jpg_window_bytes;
    while (bits->end < limit && bits->marker == 0) {
        if (stream->available == 0 && !csluice_stream_fill(stream)) return false;
        const uint8_t *from = stream->bytes + stream->next;
        size_t room = (size_t)(limit - bits->end);
        size_t count = stream->available < room ? stream->available : room;
        const uint8_t *found = memchr(from, 0xFF, count);
        size_t plain = found ? (size_t)(found - from) : count;
        memcpy(bits->end, from, plain);
        bits->end += plain;
        size_t taken = plain + (found ? 1 : 0);
        stream->next += taken;
        stream->available -= taken;
        if (found && !unstuff(bits)) return false;
    }
    return true;
}

bool jpg_bits_skip(jpg_bits *bits) {
    csluice_stream *stream = bits->stream;
    int marker = bits->marker;
    while (marker == 0) {
        if (stream->available == 0 && !csluice_stream_fill(stream)) return false;
        const uint8_t *from = stream->bytes + stream->next;
        const uint8_t *found = memchr(from, 0xFF, stream->available);
        size_t taken = found ? (size_t)(found - from) + 1 : stream->available;
        stream->next += taken;
        stream->available -= taken;
        uint8_t byte = 0;
        if (found && !csluice_stream_read(stream, &byte, 1)) return false;
        marker = byte;
    }
    jpg_bits_restart(bits);
    bits->marker = marker;
    return true;
}

/// Moves the unread bytes to the start of the window and reads more.
static bool advance(jpg_bits *bits) {
    jpg_cursor *cursor = &bits->cursor;
    size_t rest = (size_t)(bits->end - cursor->next);
    memmove(bits->window, cursor->next, rest);
    bits->end = bits->window + rest;
    cursor->next = bits->window;
    // Clear the lower bits, which were read past the end.
    cursor->bits &= ~(UINT64_MAX >> (cursor->count & 63));
    return append(bits);
}

bool jpg_bits_fill(jpg_bits *bits, size_t count) {
    if (bits->end - bits->cursor.next >= (ptrdiff_t)count) return true;
    if (bits->marker == 0 && !advance(bits)) return false;
    if (bits->marker != 0 && bits->padding < count) {
        memset(bits->end, 0, count);
        bits->padding = count;
    }
    return true;
}

int jpg_bits_finish(jpg_bits *bits) {
    if (!jpg_bits_fill(bits, jpg_max_block_bytes)) return -1;
    ptrdiff_t left = jpg_bits_left(bits);
    return left >= 0 && left < 8 && bits->marker != 0 ? bits->marker : -1;
}
