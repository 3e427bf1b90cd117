// SPDX-License-Identifier: MIT
#pragma once

#include "../stream.h"

/// Reads the compressed pixels of a PNG, which are in consecutive IDAT chunks, and checks the chunks' checksums.
typedef struct {
    csluice_stream *stream;
    /// The bytes of the current chunk that are not read yet, and the checksum of the others and the chunk's name.
    uint32_t left, checksum;
    /// The maximum length of a chunk.
    uint32_t max_length;
    /// The length and name of the chunk after the last IDAT.
    uint32_t next_length;
    uint8_t next_name[4];
    /// Whether the last IDAT ended.
    bool has_ended;
} csluice_chunks;

/// Starts within the first IDAT, directly after its name.
void csluice_chunks_init(csluice_chunks *chunks, csluice_stream *stream, uint32_t length, uint32_t max_length);

/// Reads up to `count` bytes; returns fewer only after the last IDAT, and -1 if the file is damaged.
ptrdiff_t csluice_chunks_read(csluice_chunks *chunks, uint8_t *out, size_t count);

/// Reads the chunks after the pixels; returns whether libpng would read them without an error or a warning.
bool csluice_chunks_finish(csluice_chunks *chunks);
