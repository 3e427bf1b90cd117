// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The tables that decode a Deflate block.
///
/// The lowest bits of the input are an index into a table. Codes that are longer than the index continue in a second
/// table, whose place the entry holds. An entry's low byte is the number of bits of the code and of its extra bits; the
/// next four bits are the length of the code alone, and its upper half is a literal, or the least length or distance.
enum {
    csluice_length_index_bits = 11,
    csluice_distance_index_bits = 8,
    csluice_max_lengths = 288,
    csluice_max_distances = 32,
    /// Upper bounds for codes of at most 15 bits; zlib's `enough` computes the exact numbers.
    csluice_length_entries = 2400,
    csluice_distance_entries = 420,

    /// The entry is a literal.
    csluice_literal_entry = 0x4000,
    /// The entry is neither a literal nor a length or distance: the end of the block, unless it has a flag below.
    csluice_special_entry = 0x8000,
    /// The entry's upper half is the place of another table, whose index has as many bits as the code length says.
    csluice_table_entry = 0x2000,
    /// No code starts with these bits.
    csluice_invalid_entry = 0x1000,
};

typedef struct {
    uint32_t lengths[csluice_length_entries];
    uint32_t distances[csluice_distance_entries];
} csluice_huffman;

/// Builds the tables from the code lengths in bits; returns false for codes that zlib rejects, and for some others that
/// no compressor writes.
bool csluice_huffman_build(csluice_huffman *huffman, const uint8_t *length_bits, int length_count,
                           const uint8_t *distance_bits, int distance_count);

/// Builds the tables of blocks with fixed codes.
void csluice_huffman_build_fixed(csluice_huffman *huffman);

/// Builds the table of the codes of code lengths, which have at most 7 bits; an entry is a symbol and a number of bits
/// as above.
bool csluice_huffman_build_bits(uint32_t entries[128], const uint8_t *code_bits);
