// SPDX-License-Identifier: MIT
#pragma once

#include "chunks.h"
#include "huffman.h"

enum {
    csluice_deflate_window = 1 << 15,
    /// The bytes that are decompressed at once, besides a row.
    csluice_inflate_step = 1 << 16,
    csluice_inflate_input = 1 << 15,
    /// Reading and writing may go this far beyond the end.
    csluice_inflate_padding = 320,
};

/// The bits that are read from the input, lowest first, their number, and the next bytes.
typedef struct {
    const uint8_t *next;
    uint64_t bits;
    unsigned count;
} csluice_bits;

/// Decompresses a zlib stream in pieces.
///
/// It gives up on anything that zlib might reject, and never reads or writes outside its memory.
typedef struct {
    csluice_chunks *chunks;
    csluice_bits bits;
    /// The end of the input, and whether it is the stream's, which zeros follow.
    uint8_t *end;
    bool is_padded;

    /// The output, which starts with up to a window of earlier bytes: the caller's next byte, the end of what is
    /// decompressed, and the end of the memory without padding.
    uint8_t *output, *unread, *filled, *limit;
    /// The farthest that matches may reach back, or 0 before the header is read.
    size_t window;

    enum { csluice_block_none, csluice_block_stored, csluice_block_coded } block;
    bool is_last_block, has_ended;
    /// The bytes of a stored block that are left.
    unsigned stored_left;
    csluice_huffman huffman;
    uint8_t input[csluice_inflate_input + csluice_inflate_padding];
} csluice_inflate;

/// Prepares to decompress rows of `row_bytes` bytes; returns false if there is no memory.
bool csluice_inflate_init(csluice_inflate *inflate, csluice_chunks *chunks, size_t row_bytes);

/// Returns the next `row_bytes` bytes, which stay valid until the next call, or null to give up.
const uint8_t *csluice_inflate_row(csluice_inflate *inflate, size_t row_bytes);

/// Returns whether the stream ends here, with this checksum and with the last IDAT.
bool csluice_inflate_finish(csluice_inflate *inflate, uint32_t checksum);

/// Frees the output.
void csluice_inflate_free(csluice_inflate *inflate);
