// SPDX-License-Identifier: MIT
#include "stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void csluice_stream_init(csluice_stream *stream, csluice_input input) {
    stream->input = input;
    stream->offset = stream->next = stream->available = 0;
    stream->bytes = stream->buffer;
    stream->hit_end = false;
    stream->error = 0;
    stream->skipped_count = stream->next_skipped = 0;
}

void csluice_stream_skip_range(csluice_stream *stream, csluice_range range) {
    if (stream->skipped_count == csluice_max_skipped_ranges) return;
    stream->skipped_ranges[stream->skipped_count++] = range;
}

void csluice_stream_seek(csluice_stream *stream, size_t offset) {
    stream->offset = offset;
    stream->next = stream->available = 0;
    stream->hit_end = false;
}

static ssize_t copy(const uint8_t *bytes, size_t left, uint8_t *out, size_t count) {
    size_t got = left < count ? left : count;
    memcpy(out, bytes, got);
    return (ssize_t)got;
}

ssize_t csluice_input_read(const csluice_input *input, size_t offset, uint8_t *out, size_t count) {
    if (offset >= input->count) {
        size_t start = offset - input->count;
        return start < input->tail_count ? copy(input->tail + start, input->tail_count - start, out, count) : 0;
    }
    size_t left = input->count - offset;
    if (input->descriptor < 0) return copy(input->bytes + input->start + offset, left, out, count);
    ssize_t got;
    do {
        got = pread(input->descriptor, out, left < count ? left : count, (off_t)(input->start + offset));
    } while (got < 0 && errno == EINTR);
    return got;
}

/// Steps over a skipped range at the current offset; returns the number of bytes before the next one.
static size_t bytes_before_skipped_range(csluice_stream *stream) {
    for (; stream->next_skipped < stream->skipped_count; stream->next_skipped++) {
        csluice_range range = stream->skipped_ranges[stream->next_skipped];
        if (stream->offset < range.start) return range.start - stream->offset;
        if (stream->offset < range.end) stream->offset = range.end;
    }
    return SIZE_MAX;
}

/// Makes bytes of the input in memory available where they are; returns their number.
static ssize_t fill_from_memory(csluice_stream *stream, size_t readable) {
    size_t left = stream->input.count - stream->offset;
    stream->bytes = stream->input.bytes + stream->input.start + stream->offset;
    return (ssize_t)(left < readable ? left : readable);
}

/// Reads bytes into the buffer; returns their number.
static ssize_t fill_buffer(csluice_stream *stream, size_t readable) {
    size_t wanted = readable < sizeof stream->buffer ? readable : sizeof stream->buffer;
    stream->bytes = stream->buffer;
    return csluice_input_read(&stream->input, stream->offset, stream->buffer, wanted);
}

bool csluice_stream_fill(csluice_stream *stream) {
    size_t readable = bytes_before_skipped_range(stream);
    bool is_in_memory = stream->input.descriptor < 0 && stream->offset < stream->input.count;
    ssize_t got = is_in_memory ? fill_from_memory(stream, readable) : fill_buffer(stream, readable);
    stream->next = 0;
    stream->available = got > 0 ? (size_t)got : 0;
    stream->offset += stream->available;
    if (got < 0) stream->error = errno;
    if (got == 0) stream->hit_end = true;
    return got > 0;
}

bool csluice_stream_read(csluice_stream *stream, uint8_t *out, size_t count) {
    while (count > 0) {
        if (stream->available == 0 && !csluice_stream_fill(stream)) return false;
        size_t taken = count < stream->available ? count : stream->available;
        memcpy(out, stream->bytes + stream->next, taken);
        stream->next += taken;
        stream->available -= taken;
        out += taken;
        count -= taken;
    }
    return true;
}

void csluice_stream_skip(csluice_stream *stream, size_t count) {
    size_t taken = count < stream->available ? count : stream->available;
    stream->next += taken;
    stream->available -= taken;
    // Lengths in image files have at most 32 bits, so this cannot overflow.
    stream->offset += count - taken;
}
