// SPDX-License-Identifier: MIT
#include "chunks.h"

#include <string.h>

#include "checksums.h"

/// Limits of the chunks after the pixels; libpng's are higher.
enum { max_trailing_chunks = 100, max_trailing_bytes = 1 << 20 };

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void csluice_chunks_init(csluice_chunks *chunks, csluice_stream *stream, uint32_t length, uint32_t max_length) {
    *chunks = (csluice_chunks){.stream = stream, .left = length, .max_length = max_length};
    chunks->checksum = csluice_png_crc32(0, (const uint8_t *)"IDAT", 4);
}

/// Reads the checksum of a chunk whose bytes are read, and the length and name of the next one.
static bool next_chunk(csluice_chunks *chunks) {
    uint8_t bytes[12];
    if (!csluice_stream_read(chunks->stream, bytes, sizeof bytes)) return false;
    if (big_endian(bytes) != chunks->checksum) return false;
    chunks->next_length = big_endian(bytes + 4);
    memcpy(chunks->next_name, bytes + 8, 4);
    chunks->checksum = csluice_png_crc32(0, chunks->next_name, 4);
    return chunks->next_length <= chunks->max_length || memcmp(chunks->next_name, "IDAT", 4) != 0;
}

/// Reads and checks up to `count` bytes of the current chunk, as many as the stream has at once.
static size_t read_piece(csluice_chunks *chunks, uint8_t *out, size_t count) {
    csluice_stream *stream = chunks->stream;
    if (stream->available == 0 && !csluice_stream_fill(stream)) return 0;
    size_t taken = stream->available < count ? stream->available : count;
    if (taken > chunks->left) taken = chunks->left;
    const uint8_t *from = stream->bytes + stream->next;
    if (out) memcpy(out, from, taken);
    chunks->checksum = csluice_png_crc32(chunks->checksum, from, taken);
    stream->next += taken;
    stream->available -= taken;
    chunks->left -= (uint32_t)taken;
    return taken;
}

ptrdiff_t csluice_chunks_read(csluice_chunks *chunks, uint8_t *out, size_t count) {
    size_t done = 0;
    while (done < count && !chunks->has_ended) {
        if (chunks->left == 0) {
            if (!next_chunk(chunks)) return -1;
            chunks->has_ended = memcmp(chunks->next_name, "IDAT", 4) != 0;
            if (!chunks->has_ended) chunks->left = chunks->next_length;
            continue;
        }
        size_t taken = read_piece(chunks, out + done, count - done);
        if (taken == 0) return -1;
        done += taken;
    }
    return (ptrdiff_t)done;
}

/// Returns whether libpng ignores a chunk after the pixels: texts and times as the reader requests, and frames, which
/// libpng does not know.
static bool is_ignored(const uint8_t *name) {
    static const char names[] = "tEXtzTXtiTXttIMEfcTLfdAT";
    for (size_t index = 0; index < sizeof names - 1; index += 4) {
        if (memcmp(names + index, name, 4) == 0) return true;
    }
    return false;
}

bool csluice_chunks_finish(csluice_chunks *chunks) {
    for (int number = 0; number < max_trailing_chunks; number++) {
        if (memcmp(chunks->next_name, "IEND", 4) == 0) {
            uint8_t bytes[4];
            return chunks->next_length == 0 && csluice_stream_read(chunks->stream, bytes, 4) &&
                   big_endian(bytes) == chunks->checksum;
        }
        if (!is_ignored(chunks->next_name) || chunks->next_length > max_trailing_bytes) return false;
        chunks->left = chunks->next_length;
        while (chunks->left > 0) {
            if (read_piece(chunks, NULL, chunks->left) == 0) return false;
        }
        if (!next_chunk(chunks)) return false;
    }
    return false;
}
