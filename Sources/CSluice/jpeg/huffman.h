// SPDX-License-Identifier: MIT
#pragma once

#include "bits.h"
#include "header.h"

/// The number of bits that index a look-up table; longer codes are rare, and larger tables crowd the cache.
enum { jpg_lookup_bits = 11, jpg_lookup_size = 1 << jpg_lookup_bits };
/// Tables of single symbols are built for each scan.
enum { jpg_symbol_lookup_bits = 11, jpg_symbol_lookup_size = 1 << jpg_symbol_lookup_bits };

/// The codes of a Huffman table, for those that a look-up table does not hold.
typedef struct {
    /// For each length, the first 16-bit value that is above all codes of this length.
    uint32_t limits[17];
    /// For each length, what to add to a code for its symbol's index.
    int32_t offsets[17];
    uint8_t symbols[256];
} jpg_codes;

/// Decodes the symbols of a block; an entry holds up to two coefficients, with the bits of their values, and an end of
/// block.
///
/// From the lowest bit on: 6 bits for the number of bits of the entry, or 0 if the codes do not fit; 4 bits for the
/// zeros before the first coefficient; 7 bits for the number of coefficients, with zeros; a flag for the end of the
/// block; 6 bits for the second coefficient; 8 bits for the first. If the codes do not fit, the number of coefficients
/// is above that of a block, and the upper 14 bits are the first symbol and the length of its code, or 0.
typedef struct {
    jpg_codes codes;
    uint32_t entries[jpg_lookup_size];
} jpg_table;

/// What the symbols of a scan of a progressive image mean.
typedef enum {
    /// The size of a first coefficient's value.
    jpg_dc_symbols,
    /// Zeros and the size of a value, or the size of the number of blocks that end.
    jpg_ac_symbols,
    /// The same, with values of one bit.
    jpg_refining_symbols,
} jpg_symbol_kind;

/// Decodes single symbols of a progressive image, with the bits of their values.
///
/// An entry holds, from the lowest bit on: 4 bits for the zeros before the coefficient, inverted, and two bits that are
/// set; 5 bits for the number of bits of the code and the value; flags for a coefficient that is not zero and for the
/// end of blocks; from bit 16 on, the value, or the number of blocks. It is 0 if the bits do not fit.
typedef struct {
    jpg_codes codes;
    jpg_symbol_kind kind;
    uint32_t entries[jpg_symbol_lookup_size];
} jpg_symbols;

/// Builds a table of symbols; returns false if the codes are impossible, or a symbol of a first coefficient is.
bool jpg_build_symbols(jpg_symbols *table, const jpg_huffman_spec *spec, jpg_symbol_kind kind);

/// Builds the table for all coefficients but the first; returns false if the codes are impossible.
bool jpg_build_ac(jpg_table *table, const jpg_huffman_spec *spec);
/// Builds the table for the first coefficient, which may be joined with the next one; returns false if the codes or
/// the symbols are impossible.
bool jpg_build_dc(jpg_table *table, const jpg_huffman_spec *dc, const jpg_huffman_spec *ac);

/// Returns the value that `size` bits stand for.
INLINE int jpg_extend(uint32_t bits, int size) {
    return (int)bits - ((int)bits < 1 << size >> 1 ? (1 << size) - 1 : 0);
}

/// Takes the value of `size` bits, at most 16.
INLINE int jpg_take_value(jpg_cursor *cursor, int size) {
    if (size == 0) return 0;
    uint32_t bits = (uint32_t)(cursor->bits >> (64 - size));
    jpg_consume(cursor, (unsigned)size);
    return jpg_extend(bits, size);
}

/// Takes a code of any length; returns its symbol, or -1 if there is no such code.
INLINE int jpg_take_symbol(jpg_cursor *cursor, const jpg_codes *codes) {
    uint32_t bits = (uint32_t)(cursor->bits >> 48);
    for (unsigned length = 1; length <= 16; length++) {
        if (bits >= codes->limits[length]) continue;
        jpg_consume(cursor, length);
        return codes->symbols[(codes->offsets[length] + (int32_t)(bits >> (16 - length))) & 255];
    }
    return -1;
}

/// The parts of an entry for a single symbol.
enum { jpg_value_flag = 1 << 11, jpg_end_run_flag = 1 << 12 };
INLINE int jpg_symbol_zeros(uint32_t entry) { return ~entry & 15; }
INLINE uint32_t jpg_symbol_bits(uint32_t entry) { return entry >> 6 & 31; }
INLINE int jpg_symbol_value(uint32_t entry) { return (int32_t)entry >> 16; }

/// Takes a symbol whose bits do not fit an entry; returns its entry, or 0 if there is no such code or symbol.
uint32_t jpg_take_long_symbol(jpg_cursor *cursor, const jpg_symbols *table);

/// Takes a symbol with its value, at most 31 bits, and makes at least 56 bits available before that; returns its entry,
/// or 0 if there is no such code or symbol.
///
/// At least 16 bits must be available, so that the look-up need not wait for more.
INLINE uint32_t jpg_take_any_symbol(jpg_cursor *cursor, const jpg_symbols *table) {
    uint32_t entry = table->entries[cursor->bits >> (64 - jpg_symbol_lookup_bits)];
    jpg_refill(cursor);
    if (__builtin_expect(entry != 0, 1)) {
        jpg_consume(cursor, jpg_symbol_bits(entry));
        return entry;
    }
    // A cursor whose address is taken cannot stay in registers.
    jpg_cursor copy = *cursor;
    entry = jpg_take_long_symbol(&copy, table);
    *cursor = copy;
    return entry;
}

/// The parts of an entry for up to two coefficients.
enum { jpg_end_flag = 1 << 17, jpg_max_first = 127, jpg_max_second = 31, jpg_unknown_advance = jpg_block_size + 1 };
INLINE uint32_t jpg_make_entry(int bits, int zeros, int advance, bool ends, int first, int second) {
    return (uint32_t)bits | (uint32_t)zeros << 6 | (uint32_t)advance << 10 | (ends ? jpg_end_flag : 0) |
           ((uint32_t)second & 63) << 18 | (uint32_t)first << 24;
}
INLINE uint32_t jpg_make_symbol_entry(int length, int symbol) {
    return jpg_unknown_advance << 10 | (uint32_t)length << 18 | (uint32_t)symbol << 22;
}
INLINE unsigned jpg_entry_bits(uint32_t entry) { return entry & 63; }
INLINE unsigned jpg_entry_zeros(uint32_t entry) { return entry >> 6 & 15; }
INLINE unsigned jpg_entry_advance(uint32_t entry) { return entry >> 10 & 127; }
INLINE int jpg_entry_first(uint32_t entry) { return (int32_t)entry >> 24; }
INLINE int jpg_entry_second(uint32_t entry) { return (int32_t)(entry << 8) >> 26; }
INLINE unsigned jpg_entry_code_length(uint32_t entry) { return entry >> 18 & 15; }
INLINE unsigned jpg_entry_symbol(uint32_t entry) { return entry >> 22; }
