// SPDX-License-Identifier: MIT
#pragma once

#include "../output.h"
#include "picture.h"

enum { cjc_symbols = 256, cjc_max_code = 16 };

/// How often a scan has each symbol.
typedef struct {
    uint32_t counts[cjc_symbols];
} cjc_histogram;

/// The Huffman codes of a scan.
typedef struct {
    /// The number of codes of each length, and their symbols in order.
    uint8_t lengths[cjc_max_code + 1];
    uint8_t symbols[cjc_symbols];
    int count;
    /// For each symbol, its code and the code's length; 0 if it has none.
    uint16_t codes[cjc_symbols];
    uint8_t sizes[cjc_symbols];
} cjc_table;

/// Makes the shortest codes of at most 16 bits, none of which is all ones.
void cjc_make_table(cjc_table *table, const cjc_histogram *histogram);

/// The bits of the table itself, and of all symbols with the values that follow them.
uint64_t cjc_table_bits(const cjc_table *table, const cjc_histogram *histogram, bool is_dc);

/// The file, and the bits that do not fill a byte yet.
typedef struct {
    csluice_output file;
    uint64_t bits;
    int count;
    bool failed;
} cjc_writer;

void cjc_put_byte(cjc_writer *writer, int value);
void cjc_put_word(cjc_writer *writer, int value);
void cjc_put_bytes(cjc_writer *writer, const uint8_t *bytes, size_t count);
/// Fills the last byte with ones.
void cjc_flush_bits(cjc_writer *writer);

/// Receives a scan's symbols: it counts them, or writes them if it has a writer.
typedef struct {
    cjc_histogram *histogram;
    const cjc_table *table;
    cjc_writer *writer;
} cjc_sink;

/// Sends the blocks' coefficients from `from` to `to`, without the first one, as a scan of a progressive image.
void cjc_send_band(const cjc_component *component, int from, int to, const cjc_sink *sink);

/// Sends the first coefficients of all blocks; with `ac`, also the others, as a baseline image.
///
/// There are two sinks each: for luma, and for chroma.
void cjc_send_mcus(const cjc_picture *picture, const cjc_sink *dc, const cjc_sink *ac);

/// The number of bits of a value that follows a symbol.
static inline int cjc_bit_length(uint32_t value) { return value == 0 ? 0 : 32 - __builtin_clz(value); }
