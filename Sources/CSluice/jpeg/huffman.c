// SPDX-License-Identifier: MIT
#include "huffman.h"

/// Numbers the codes in ascending order; returns false if there are more than fit.
static bool build_codes(jpg_codes *codes, const jpg_huffman_spec *spec) {
    uint32_t code = 0;
    int32_t index = 0;
    codes->limits[0] = 0;
    for (int length = 1; length <= 16; length++) {
        uint32_t count = spec->counts[length - 1];
        // No code may be all ones, and a shorter one leaves room for at least one.
        if (code + count >= 1u << length) return false;
        codes->offsets[length] = index - (int32_t)code;
        code += count;
        index += (int32_t)count;
        codes->limits[length] = code << (16 - length);
        code <<= 1;
    }
    memcpy(codes->symbols, spec->symbols, sizeof codes->symbols);
    return true;
}

/// Visits all codes that fit a look-up table: `first` is the first index that begins with the code.
#define FOR_EACH_CODE(spec, length, symbol, first)                                                                    \
    for (int length = 1, index_ = 0, first = 0; length <= jpg_lookup_bits; length++)                                 \
        for (int left_ = (spec)->counts[length - 1], symbol = (spec)->symbols[index_ & 255]; left_ > 0;               \
             left_--, index_++, symbol = (spec)->symbols[index_ & 255], first += 1 << (jpg_lookup_bits - length))

/// Enters one symbol with all values of its bits; `size` is the number of these.
static void enter_symbol(uint32_t *entries, int length, int symbol, int zeros, int size, bool ends) {
    int rest = jpg_lookup_bits - length - size;
    if (rest < 0 || size > 7) {
        uint32_t entry = jpg_make_symbol_entry(length, symbol);
        for (int i = 0; i < 1 << (jpg_lookup_bits - length); i++) entries[i] = entry;
        return;
    }
    for (int bits = 0; bits < 1 << size; bits++) {
        // A symbol without a coefficient stores a zero.
        int value = jpg_extend((uint32_t)bits, size);
        uint32_t entry = jpg_make_entry(length + size, zeros, zeros + 1, ends, value, 0);
        for (int i = 0; i < 1 << rest; i++) *entries++ = entry;
    }
}

/// Enters all symbols of a table, one to an entry.
static void enter_symbols(uint32_t *entries, const jpg_huffman_spec *spec, bool is_dc) {
    for (int i = 0; i < jpg_lookup_size; i++) entries[i] = jpg_make_symbol_entry(0, 0);
    const uint8_t *symbols = spec->symbols;
    for (int length = 1; length <= jpg_lookup_bits; length++) {
        for (int left = spec->counts[length - 1]; left > 0; left--, entries += 1 << (jpg_lookup_bits - length)) {
            int symbol = *symbols++, zeros = is_dc ? 0 : symbol >> 4, size = is_dc ? symbol : symbol & 15;
            // Runs without a coefficient are unusual, except for those of 16 zeros.
            bool is_unusual = size == 0 && zeros != 0 && zeros != 15;
            enter_symbol(entries, length, symbol, zeros, is_unusual ? jpg_lookup_bits : size, !is_dc && symbol == 0);
        }
    }
}

/// Joins an entry with the one that follows it, if both fit.
static uint32_t join(uint32_t entry, uint32_t next) {
    int bits = (int)(jpg_entry_bits(entry) + jpg_entry_bits(next));
    if (jpg_entry_bits(next) == 0 || bits > jpg_lookup_bits) return entry;
    int zeros = (int)jpg_entry_zeros(entry), first = jpg_entry_first(entry), second = jpg_entry_first(next);
    if (next & jpg_end_flag) return jpg_make_entry(bits, zeros, zeros + 1, true, first, 0);
    if (second < -jpg_max_second || second > jpg_max_second) return entry;
    int advance = zeros + 1 + (int)jpg_entry_advance(next);
    return jpg_make_entry(bits, zeros, advance, false, first, second);
}

static void join_all(uint32_t *out, const uint32_t *entries, const uint32_t *next) {
    for (unsigned i = 0; i < jpg_lookup_size; i++) {
        unsigned bits = jpg_entry_bits(entries[i]);
        bool is_whole = bits == 0 || entries[i] & jpg_end_flag;
        out[i] = is_whole ? entries[i] : join(entries[i], next[i << bits & (jpg_lookup_size - 1)]);
    }
}

bool jpg_build_ac(jpg_table *table, const jpg_huffman_spec *spec) {
    if (!build_codes(&table->codes, spec)) return false;
    uint32_t entries[jpg_lookup_size];
    enter_symbols(entries, spec, false);
    join_all(table->entries, entries, entries);
    return true;
}

/// Whether all symbols are sizes of values.
static bool has_dc_symbols(const jpg_huffman_spec *spec) {
    int count = 0;
    for (int i = 0; i < 16; i++) count += spec->counts[i];
    for (int i = 0; i < count; i++) {
        if (spec->symbols[i] > 15) return false;
    }
    return true;
}

bool jpg_build_dc(jpg_table *table, const jpg_huffman_spec *dc, const jpg_huffman_spec *ac) {
    if (!build_codes(&table->codes, dc)) return false;
    if (!has_dc_symbols(dc)) return false;
    uint32_t first[jpg_lookup_size], next[jpg_lookup_size];
    enter_symbols(first, dc, true);
    enter_symbols(next, ac, false);
    join_all(table->entries, first, next);
    return true;
}

/// Returns the number of bits of a symbol's value, or of the number of blocks.
static int extra_bits(int symbol, jpg_symbol_kind kind) {
    int zeros = symbol >> 4, size = symbol & 15;
    if (kind == jpg_dc_symbols) return symbol;
    return size > 0 ? size : zeros < 15 ? zeros : 0;
}

/// Returns the entry of a symbol with its extra bits, or 0 if there is no such symbol.
static uint32_t make_symbol(int length, int symbol, jpg_symbol_kind kind, uint32_t bits) {
    int zeros = kind == jpg_dc_symbols ? 0 : symbol >> 4, size = extra_bits(symbol, kind);
    if (kind == jpg_refining_symbols && (symbol & 15) > 1) return 0;
    uint32_t entry = (uint32_t)(63 - zeros) | (uint32_t)(length + size) << 6;
    if (kind != jpg_dc_symbols && (symbol & 15) == 0 && zeros < 15) {
        return entry | jpg_end_run_flag | ((1u << size) + bits) << 16;
    }
    return entry | (size > 0 ? jpg_value_flag : 0) | (uint32_t)jpg_extend(bits, size) << 16;
}

bool jpg_build_symbols(jpg_symbols *table, const jpg_huffman_spec *spec, jpg_symbol_kind kind) {
    if (!build_codes(&table->codes, spec) || (kind == jpg_dc_symbols && !has_dc_symbols(spec))) return false;
    table->kind = kind;
    memset(table->entries, 0, sizeof table->entries);
    uint32_t *entries = table->entries;
    const uint8_t *symbols = spec->symbols;
    for (int length = 1; length <= jpg_symbol_lookup_bits; length++) {
        int step = 1 << (jpg_symbol_lookup_bits - length);
        for (int left = spec->counts[length - 1]; left > 0; left--, symbols++, entries += step) {
            int rest = jpg_symbol_lookup_bits - length - extra_bits(*symbols, kind);
            for (int i = 0; rest >= 0 && i < step; i++) {
                entries[i] = make_symbol(length, *symbols, kind, (uint32_t)i >> rest);
            }
        }
    }
    return true;
}

uint32_t jpg_take_long_symbol(jpg_cursor *cursor, const jpg_symbols *table) {
    int symbol = jpg_take_symbol(cursor, &table->codes);
    if (symbol < 0) return 0;
    int size = extra_bits(symbol, table->kind);
    uint32_t bits = (uint32_t)(cursor->bits >> 1 >> (63 - size));
    jpg_consume(cursor, (uint32_t)size);
    return make_symbol(1, symbol, table->kind, bits);
}
