// SPDX-License-Identifier: MIT
#include "huffman.h"

enum { max_bits = 15, first_length_symbol = 257 };

/// The canonical code of a set of symbols.
typedef struct {
    /// The number of codes of each length, and the number of symbols with shorter ones.
    uint16_t counts[max_bits + 1], starts[max_bits + 2];
    /// The symbols in the order of their codes.
    uint16_t symbols[csluice_max_lengths];
    int longest;
    /// What remains of the code space, as a multiple of the longest possible code's share.
    int unused;
} canonical;

static void sort(canonical *code, const uint8_t *bits, int count) {
    *code = (canonical){.unused = 1 << max_bits};
    for (int symbol = 0; symbol < count; symbol++) code->counts[bits[symbol]]++;
    code->counts[0] = 0;
    for (int length = 1; length <= max_bits; length++) {
        code->starts[length + 1] = (uint16_t)(code->starts[length] + code->counts[length]);
        code->unused -= code->counts[length] << (max_bits - length);
        if (code->counts[length]) code->longest = length;
    }
    uint16_t next[max_bits + 2];
    for (int length = 0; length <= max_bits + 1; length++) next[length] = code->starts[length];
    for (int symbol = 0; symbol < count; symbol++) {
        if (bits[symbol]) code->symbols[next[bits[symbol]]++] = (uint16_t)symbol;
    }
}

/// Returns the code that follows in canonical order; codes are reversed, because they start with the lowest bit.
static uint32_t next_reversed(uint32_t code, int length) {
    uint32_t bit = 1u << (length - 1);
    while (code & bit) {
        code ^= bit;
        bit >>= 1;
    }
    return bit ? code | bit : 0;
}

/// Returns how many bits a second table needs for the codes that start like the one at `place`.
static int table_bits(const canonical *code, int length, int place, int index_bits) {
    int bits = length - index_bits;
    int left = 1 << bits;
    int same_length = code->starts[length + 1] - place;
    left -= same_length;
    while (left > 0 && length < code->longest) {
        length++;
        bits++;
        left = (left << 1) - code->counts[length];
    }
    return bits;
}

/// Fills a table; `entry_of` returns a symbol's entry without the code's length.
static bool fill(uint32_t *table, int capacity, int index_bits, const canonical *code, uint32_t (*entry_of)(int)) {
    int used = 1 << index_bits;
    for (int index = 0; index < used; index++) table[index] = csluice_special_entry | csluice_invalid_entry;
    uint32_t bits = 0, start = UINT32_MAX;
    int base = 0, second_bits = 0;
    for (int length = 1, place = 0; length <= code->longest; length++) {
        for (int last = place + code->counts[length]; place < last; place++) {
            uint32_t entry = entry_of(code->symbols[place]);
            if (length <= index_bits) {
                entry += (uint32_t)(length << 8 | length);
                for (uint32_t index = bits; index < 1u << index_bits; index += 1u << length) table[index] = entry;
            } else {
                uint32_t prefix = bits & ((1u << index_bits) - 1);
                if (prefix != start) {
                    start = prefix;
                    base = used;
                    second_bits = table_bits(code, length, place, index_bits);
                    used += 1 << second_bits;
                    if (used > capacity) return false;
                    table[prefix] = (uint32_t)base << 16 | csluice_special_entry | csluice_table_entry |
                                    (uint32_t)(second_bits << 8 | index_bits);
                }
                int rest = length - index_bits;
                entry += (uint32_t)(rest << 8 | rest);
                for (uint32_t index = bits >> index_bits; index < 1u << second_bits; index += 1u << rest) {
                    table[base + (int)index] = entry;
                }
            }
            bits = next_reversed(bits, length);
        }
    }
    return true;
}

/// Deflate's lengths and distances come in groups that double the step every four, or every two, symbols.
static uint32_t length_entry(int symbol) {
    if (symbol < 256) return (uint32_t)symbol << 16 | csluice_literal_entry;
    if (symbol == 256) return csluice_special_entry;
    int number = symbol - first_length_symbol;
    if (number < 8) return (uint32_t)(number + 3) << 16;
    if (number == 28) return 258u << 16;
    if (number > 28) return csluice_special_entry | csluice_invalid_entry;
    int extra = number / 4 - 1;
    return (uint32_t)((4 + number % 4) * (1 << extra) + 3) << 16 | (uint32_t)extra;
}

static uint32_t distance_entry(int symbol) {
    if (symbol < 4) return (uint32_t)(symbol + 1) << 16;
    if (symbol > 29) return csluice_special_entry | csluice_invalid_entry;
    int extra = symbol / 2 - 1;
    return (uint32_t)((2 + symbol % 2) * (1 << extra) + 1) << 16 | (uint32_t)extra;
}

static uint32_t plain_entry(int symbol) { return (uint32_t)symbol << 16; }

bool csluice_huffman_build(csluice_huffman *huffman, const uint8_t *length_bits, int length_count,
                           const uint8_t *distance_bits, int distance_count) {
    canonical code;
    if (length_bits[256] == 0) return false;
    sort(&code, length_bits, length_count);
    if (code.unused != 0) return false;
    if (!fill(huffman->lengths, csluice_length_entries, csluice_length_index_bits, &code, length_entry)) return false;
    sort(&code, distance_bits, distance_count);
    // A block may have no distance, or a single one, whose code has one bit.
    if (code.unused != 0 && code.longest > 1) return false;
    if (code.unused < 0) return false;
    return fill(huffman->distances, csluice_distance_entries, csluice_distance_index_bits, &code, distance_entry);
}

void csluice_huffman_build_fixed(csluice_huffman *huffman) {
    uint8_t length_bits[csluice_max_lengths], distance_bits[csluice_max_distances];
    for (int symbol = 0; symbol < csluice_max_lengths; symbol++) {
        length_bits[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    }
    for (int symbol = 0; symbol < csluice_max_distances; symbol++) distance_bits[symbol] = 5;
    csluice_huffman_build(huffman, length_bits, csluice_max_lengths, distance_bits, csluice_max_distances);
}

bool csluice_huffman_build_bits(uint32_t entries[128], const uint8_t *code_bits) {
    canonical code;
    sort(&code, code_bits, 19);
    return code.unused == 0 && fill(entries, 128, 7, &code, plain_entry);
}
