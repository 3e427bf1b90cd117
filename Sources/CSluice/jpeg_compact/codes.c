// SPDX-License-Identifier: MIT
#include "codes.h"

#include <stdlib.h>
#include <string.h>

#include "../dispatch.h"

/// A symbol that keeps the code of all ones free; its index is above all real symbols.
enum { reserved = cjc_symbols, most_nodes = cjc_symbols + 1, longest = 64 };

/// Symbols whose codes are being joined: the length of each one's code, and chains of those that are joined.
typedef struct {
    int list[most_nodes], count;
    uint32_t weights[most_nodes];
    uint8_t lengths[most_nodes];
    int16_t next[most_nodes];
} forest;

/// Takes the lightest root, of equal ones the last symbol, from `roots`.
static int take_lightest(int *roots, int *count, const forest *forest) {
    int best = 0;
    for (int i = 1; i < *count; i++) {
        uint32_t weight = forest->weights[roots[i]], least = forest->weights[roots[best]];
        if (weight < least || (weight == least && roots[i] > roots[best])) best = i;
    }
    int root = roots[best];
    roots[best] = roots[--*count];
    return root;
}

/// Makes the codes of a chain one bit longer; returns the chain's last symbol.
static int lengthen(forest *forest, int symbol) {
    for (;; symbol = forest->next[symbol]) {
        forest->lengths[symbol]++;
        if (forest->next[symbol] < 0) return symbol;
    }
}

static void join(forest *forest) {
    int roots[most_nodes], count = forest->count;
    memcpy(roots, forest->list, sizeof roots);
    while (count > 1) {
        int first = take_lightest(roots, &count, forest), second = take_lightest(roots, &count, forest);
        forest->weights[first] += forest->weights[second];
        forest->next[lengthen(forest, first)] = (int16_t)second;
        lengthen(forest, second);
        roots[count++] = first;
    }
}

/// Limits the codes to 16 bits, as in annex K of the standard, and drops the reserved one.
static void limit(int lengths[longest]) {
    for (int i = longest - 1; i > cjc_max_code; i--) {
        while (lengths[i] > 0) {
            int j = i - 2;
            while (lengths[j] == 0) j--;
            lengths[i] -= 2;
            lengths[i - 1]++;
            lengths[j + 1] += 2;
            lengths[j]--;
        }
    }
    int last = cjc_max_code;
    while (lengths[last] == 0) last--;
    lengths[last]--;
}

void cjc_make_table(cjc_table *table, const cjc_histogram *histogram) {
    forest forest = {.count = 0};
    memset(forest.next, -1, sizeof forest.next);
    for (int symbol = 0; symbol < cjc_symbols; symbol++) {
        if (histogram->counts[symbol] == 0) continue;
        forest.weights[symbol] = histogram->counts[symbol];
        forest.list[forest.count++] = symbol;
    }
    forest.weights[reserved] = 1;
    forest.list[forest.count++] = reserved;
    join(&forest);
    int lengths[longest] = {0};
    for (int i = 0; i < forest.count; i++) lengths[forest.lengths[forest.list[i]]]++;
    limit(lengths);
    memset(table, 0, sizeof *table);
    for (int length = 1; length < longest; length++) {
        for (int i = 0; i < forest.count - 1; i++) {
            int symbol = forest.list[i];
            if (forest.lengths[symbol] == length) table->symbols[table->count++] = (uint8_t)symbol;
        }
    }
    int code = 0, place = 0;
    for (int length = 1; length <= cjc_max_code; length++, code <<= 1) {
        table->lengths[length] = (uint8_t)lengths[length];
        for (int i = 0; i < lengths[length] && place < table->count; i++) {
            int symbol = table->symbols[place++];
            table->codes[symbol] = (uint16_t)code++;
            table->sizes[symbol] = (uint8_t)length;
        }
    }
}

/// The number of bits that follow a symbol: a value, or the number of blocks that end.
static int value_bits(int symbol, bool is_dc) {
    if (is_dc || (symbol & 15) != 0) return symbol & 15;
    return symbol == 0xF0 ? 0 : symbol >> 4;
}

uint64_t cjc_table_bits(const cjc_table *table, const cjc_histogram *histogram, bool is_dc) {
    uint64_t bits = (uint64_t)(17 + table->count) * 8;
    for (int i = 0; i < table->count; i++) {
        int symbol = table->symbols[i];
        bits += (uint64_t)histogram->counts[symbol] * (uint64_t)(table->sizes[symbol] + value_bits(symbol, is_dc));
    }
    return bits;
}

void cjc_put_byte(cjc_writer *writer, int value) {
    csluice_output *file = &writer->file;
    if (file->count == file->capacity && !csluice_output_grow(file, 1)) {
        writer->failed = true;
        return;
    }
    file->bytes[file->count++] = (uint8_t)value;
}

void cjc_put_word(cjc_writer *writer, int value) {
    cjc_put_byte(writer, value >> 8);
    cjc_put_byte(writer, value & 255);
}

void cjc_put_bytes(cjc_writer *writer, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) cjc_put_byte(writer, bytes[i]);
}

/// Puts up to 16 bits.
static inline void put_bits(cjc_writer *writer, uint32_t value, int count) {
    writer->bits = writer->bits << count | value;
    writer->count += count;
    while (writer->count >= 8) {
        writer->count -= 8;
        int byte = (int)(writer->bits >> writer->count & 255);
        cjc_put_byte(writer, byte);
        if (byte == 255) cjc_put_byte(writer, 0);
    }
}

void cjc_flush_bits(cjc_writer *writer) {
    if (writer->count > 0) put_bits(writer, (1U << (8 - writer->count)) - 1, 8 - writer->count);
}

/// Sends a symbol and the `size` bits that follow it.
INLINE void send(const cjc_sink *sink, int symbol, uint32_t value, int size) {
    if (!sink->writer) {
        sink->histogram->counts[symbol]++;
        return;
    }
    put_bits(sink->writer, sink->table->codes[symbol], sink->table->sizes[symbol]);
    if (size > 0) put_bits(sink->writer, value & ((1U << size) - 1), size);
}

/// Sends a level after a number of zeros below 16.
INLINE void send_level(const cjc_sink *sink, int zeros, int level) {
    int size = cjc_bit_length((uint32_t)abs(level));
    send(sink, zeros << 4 | size, (uint32_t)(level < 0 ? level - 1 : level), size);
}

/// Sends the levels of the bits in `used`.
static void send_levels(const cjc_sink *sink, const int16_t *levels, uint64_t used, int from) {
    int next = from;
    for (; used != 0; used &= used - 1) {
        int place = __builtin_ctzll(used), zeros = place - next;
        for (; zeros > 15; zeros -= 16) send(sink, 0xF0, 0, 0);
        send_level(sink, zeros, levels[place]);
        next = place + 1;
    }
}

/// Sends the number of blocks that have no more levels.
static void send_ends(const cjc_sink *sink, uint32_t *ends) {
    if (*ends == 0) return;
    int size = cjc_bit_length(*ends) - 1;
    send(sink, size << 4, *ends, size);
    *ends = 0;
}

void cjc_send_band(const cjc_component *component, int from, int to, const cjc_sink *sink) {
    const uint32_t most_ends = 0x7FFF;
    uint64_t band = (to == 63 ? ~0ULL : (1ULL << (to + 1)) - 1) & ~((1ULL << from) - 1);
    uint32_t ends = 0;
    for (int y = 0; y < component->rows; y++) {
        size_t block = (size_t)y * (size_t)component->stride;
        for (int x = 0; x < component->columns; x++, block++) {
            uint64_t used = component->used[block] & band;
            if (used != 0) {
                send_ends(sink, &ends);
                send_levels(sink, component->levels + block * cjc_block, used, from);
            }
            if ((used >> to & 1) == 0 && ++ends == most_ends) send_ends(sink, &ends);
        }
    }
    send_ends(sink, &ends);
}

void cjc_send_mcus(const cjc_picture *picture, const cjc_sink *dc, const cjc_sink *ac) {
    const cjc_component *luma = &picture->components[0];
    int last[cjc_max_components] = {0};
    int blocks = luma->stride / luma->across * (luma->depth / luma->down);
    int mcus_across = luma->stride / luma->across;
    for (int mcu = 0; mcu < blocks; mcu++) {
        for (int i = 0; i < picture->count; i++) {
            const cjc_component *component = &picture->components[i];
            for (int part = 0; part < component->across * component->down; part++) {
                int y = mcu / mcus_across * component->down + part / component->across;
                int x = mcu % mcus_across * component->across + part % component->across;
                size_t block = (size_t)y * (size_t)component->stride + (size_t)x;
                const int16_t *levels = component->levels + block * cjc_block;
                send_level(&dc[i > 0], 0, levels[0] - last[i]);
                last[i] = levels[0];
                if (!ac) continue;
                send_levels(&ac[i > 0], levels, component->used[block], 1);
                if (component->used[block] >> 63 == 0) send(&ac[i > 0], 0, 0, 0);
            }
        }
    }
}
