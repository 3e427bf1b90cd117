// SPDX-License-Identifier: MIT
#include "inflate.h"

#include <stdlib.h>
#include <string.h>

#include "../dispatch.h"

enum {
    /// The blocks that a row may take, so that callers can cancel between rows.
    max_blocks = 1000,
    /// The bytes that the codes of a block, or a few symbols, and a refill may read.
    max_header_bytes = 300,
};

/// Makes at least 56 bits available.
INLINE void refill(csluice_bits *input) {
    uint64_t word;
    memcpy(&word, input->next, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    input->bits |= word << input->count;
    input->next += (63 - input->count) >> 3;
    input->count |= 56;
}

INLINE uint64_t low(uint64_t bits, unsigned count) { return bits & ((1ull << count) - 1); }

INLINE void skip(csluice_bits *input, unsigned count) {
    input->bits >>= count;
    input->count -= count;
}

INLINE unsigned take(csluice_bits *input, unsigned count) {
    unsigned value = (unsigned)low(input->bits, count);
    skip(input, count);
    return value;
}

/// Returns whether bits beyond the end of the input were used.
static bool is_overrun(const csluice_inflate *inflate) {
    return inflate->bits.next - inflate->bits.count / 8 > inflate->end;
}

/// Makes the bytes of a block's codes available; returns false if the file is damaged or the input is used up.
static bool fill_input(csluice_inflate *inflate) {
    if (inflate->end - inflate->bits.next >= max_header_bytes) return true;
    if (inflate->is_padded) return !is_overrun(inflate);
    // Give back whole bytes, because a stored block starts with them.
    csluice_bits *bits = &inflate->bits;
    bits->next -= bits->count / 8;
    bits->count %= 8;
    bits->bits = low(bits->bits, bits->count);
    size_t rest = (size_t)(inflate->end - inflate->bits.next);
    memmove(inflate->input, inflate->bits.next, rest);
    inflate->bits.next = inflate->input;
    ptrdiff_t got = csluice_chunks_read(inflate->chunks, inflate->input + rest, csluice_inflate_input - rest);
    if (got < 0) return false;
    inflate->end = inflate->input + rest + got;
    if (rest + (size_t)got < csluice_inflate_input) {
        memset(inflate->end, 0, csluice_inflate_padding);
        inflate->is_padded = true;
    }
    return true;
}

bool csluice_inflate_init(csluice_inflate *inflate, csluice_chunks *chunks, size_t row_bytes) {
    inflate->chunks = chunks;
    inflate->bits = (csluice_bits){.next = inflate->input};
    inflate->end = inflate->input;
    inflate->is_padded = false;
    inflate->window = 0;
    inflate->block = csluice_block_none;
    inflate->is_last_block = inflate->has_ended = false;
    size_t capacity = csluice_deflate_window + row_bytes + csluice_inflate_step;
    inflate->output = malloc(capacity + csluice_inflate_padding);
    if (!inflate->output) return false;
    inflate->unread = inflate->filled = inflate->output;
    inflate->limit = inflate->output + capacity;
    return true;
}

/// Reads the method, the size of the window, and a check of both.
static bool read_header(csluice_inflate *inflate) {
    if (!fill_input(inflate) || inflate->end - inflate->bits.next < 2) return false;
    unsigned method = inflate->bits.next[0], flags = inflate->bits.next[1];
    inflate->bits.next += 2;
    inflate->window = (size_t)1 << ((method >> 4) + 8);
    bool has_dictionary = flags & 32;
    return (method & 15) == 8 && method >> 4 <= 7 && (method << 8 | flags) % 31 == 0 && !has_dictionary;
}

void csluice_inflate_free(csluice_inflate *inflate) { free(inflate->output); }

/// Reads the lengths of a block's codes; one code repeats the one before, two stand for runs of zeros.
static bool read_code_lengths(csluice_inflate *inflate, const uint32_t *entries, uint8_t *lengths, int count) {
    for (int index = 0; index < count;) {
        refill(&inflate->bits);
        uint32_t entry = entries[low(inflate->bits.bits, 7)];
        if (entry & csluice_invalid_entry) return false;
        skip(&inflate->bits, entry & 0xFF);
        unsigned symbol = entry >> 16;
        if (symbol < 16) {
            lengths[index++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16 && index == 0) return false;
        uint8_t repeated = symbol == 16 ? lengths[index - 1] : 0;
        int run = symbol == 16   ? 3 + (int)take(&inflate->bits, 2)
                  : symbol == 17 ? 3 + (int)take(&inflate->bits, 3)
                                 : 11 + (int)take(&inflate->bits, 7);
        if (run > count - index) return false;
        memset(lengths + index, repeated, (size_t)run);
        index += run;
    }
    return true;
}

static bool read_codes(csluice_inflate *inflate) {
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    int lengths = 257 + (int)take(&inflate->bits, 5), distances = 1 + (int)take(&inflate->bits, 5), codes = 4 + (int)take(&inflate->bits, 4);
    if (lengths > 286 || distances > 30) return false;
    uint8_t code_bits[19] = {0};
    for (int index = 0; index < codes; index++) {
        refill(&inflate->bits);
        code_bits[order[index]] = (uint8_t)take(&inflate->bits, 3);
    }
    uint32_t entries[128];
    uint8_t bits[csluice_max_lengths + csluice_max_distances];
    return csluice_huffman_build_bits(entries, code_bits) &&
           read_code_lengths(inflate, entries, bits, lengths + distances) &&
           csluice_huffman_build(&inflate->huffman, bits, lengths, bits + lengths, distances);
}

/// Gives back the whole bytes that were read ahead, and drops the bits before them.
static bool align_to_byte(csluice_inflate *inflate) {
    inflate->bits.next -= inflate->bits.count / 8;
    inflate->bits.bits = 0;
    inflate->bits.count = 0;
    return inflate->bits.next <= inflate->end;
}

static bool begin_stored_block(csluice_inflate *inflate) {
    if (!align_to_byte(inflate) || inflate->end - inflate->bits.next < 4) return false;
    unsigned length = inflate->bits.next[0] | (unsigned)inflate->bits.next[1] << 8;
    unsigned inverse = inflate->bits.next[2] | (unsigned)inflate->bits.next[3] << 8;
    inflate->bits.next += 4;
    inflate->stored_left = length;
    inflate->block = csluice_block_stored;
    return (length ^ inverse) == 0xFFFF;
}

static bool begin_block(csluice_inflate *inflate) {
    if (!fill_input(inflate)) return false;
    refill(&inflate->bits);
    inflate->is_last_block = take(&inflate->bits, 1);
    unsigned kind = take(&inflate->bits, 2);
    inflate->block = csluice_block_coded;
    switch (kind) {
    case 0: return begin_stored_block(inflate);
    case 1: csluice_huffman_build_fixed(&inflate->huffman); return true;
    case 2: return read_codes(inflate) && !is_overrun(inflate);
    default: return false;
    }
}

static void end_block(csluice_inflate *inflate) {
    inflate->block = csluice_block_none;
    inflate->has_ended = inflate->is_last_block;
}

static bool copy_stored(csluice_inflate *inflate) {
    if (!fill_input(inflate)) return false;
    size_t count = inflate->stored_left;
    size_t available = (size_t)(inflate->end - inflate->bits.next), room = (size_t)(inflate->limit - inflate->filled);
    if (count > available) count = available;
    if (count > room) count = room;
    if (count == 0 && inflate->stored_left > 0) return false;
    memcpy(inflate->filled, inflate->bits.next, count);
    inflate->bits.next += count;
    inflate->filled += count;
    inflate->stored_left -= (unsigned)count;
    if (inflate->stored_left == 0) end_block(inflate);
    return true;
}

/// Copies a match, and possibly up to 15 bytes more.
INLINE uint8_t *copy_match(uint8_t *out, size_t distance, size_t length) {
    uint8_t *end = out + length;
    const uint8_t *from = out - distance;
    if (distance >= 16) {
        do {
            memcpy(out, from, 16);
            out += 16;
            from += 16;
        } while (out < end);
    } else if (distance == 1) {
        memset(out, *from, length);
    } else {
        // The bytes repeat: each step copies a whole period and what follows it.
        size_t step = distance < 8 ? distance : 8;
        do {
            uint64_t word;
            memcpy(&word, from, 8);
            memcpy(out, &word, 8);
            out += step;
            from += step;
        } while (out < end);
    }
    return end;
}

/// What stopped the decoding of symbols.
enum { symbols_paused, symbols_ended, symbols_doubt };

/// Decodes symbols until the block ends, or little input or room is left.
INLINE int inflate_symbols(csluice_inflate *inflate) {
    const uint32_t *lengths = inflate->huffman.lengths, *distances = inflate->huffman.distances;
    const uint8_t *last_input = inflate->end + (inflate->is_padded ? csluice_inflate_padding : 0) - 32;
    uint8_t *out = inflate->filled;
    csluice_bits input = inflate->bits;
    int result = symbols_paused;
    while (input.next <= last_input && out < inflate->limit) {
        refill(&input);
        // At most three literals, which have at most 11 bits each.
        uint32_t entry = lengths[low(input.bits, csluice_length_index_bits)];
        if (entry & csluice_literal_entry) {
            skip(&input, entry & 0xFF);
            *out++ = (uint8_t)(entry >> 16);
            entry = lengths[low(input.bits, csluice_length_index_bits)];
            if (entry & csluice_literal_entry) {
                skip(&input, entry & 0xFF);
                *out++ = (uint8_t)(entry >> 16);
                entry = lengths[low(input.bits, csluice_length_index_bits)];
                if (entry & csluice_literal_entry) {
                    skip(&input, entry & 0xFF);
                    *out++ = (uint8_t)(entry >> 16);
                    continue;
                }
            }
        }
        if (entry & csluice_table_entry) {
            skip(&input, csluice_length_index_bits);
            entry = lengths[(entry >> 16) + low(input.bits, entry >> 8 & 15)];
            if (entry & csluice_literal_entry) {
                skip(&input, entry & 0xFF);
                *out++ = (uint8_t)(entry >> 16);
                continue;
            }
        }
        if (entry & csluice_special_entry) {
            skip(&input, entry & 0xFF);
            result = entry & csluice_invalid_entry ? symbols_doubt : symbols_ended;
            break;
        }
        refill(&input);
        size_t length = (entry >> 16) + (low(input.bits, entry & 0xFF) >> (entry >> 8 & 15));
        skip(&input, entry & 0xFF);
        entry = distances[low(input.bits, csluice_distance_index_bits)];
        if (entry & csluice_table_entry) {
            skip(&input, csluice_distance_index_bits);
            entry = distances[(entry >> 16) + low(input.bits, entry >> 8 & 15)];
        }
        size_t distance = (entry >> 16) + (low(input.bits, entry & 0xFF) >> (entry >> 8 & 15));
        skip(&input, entry & 0xFF);
        if (entry & csluice_special_entry || distance > (size_t)(out - inflate->output) ||
            distance > inflate->window) {
            result = symbols_doubt;
            break;
        }
        out = copy_match(out, distance, length);
    }
    inflate->bits = input;
    inflate->filled = out;
    return result;
}

DISPATCH(int, inflate_symbols, (csluice_inflate * inflate), (inflate))

/// Decompresses a part of a block, or the header of the next one.
static bool decompress(csluice_inflate *inflate) {
    switch (inflate->block) {
    case csluice_block_none: return begin_block(inflate);
    case csluice_block_stored: return copy_stored(inflate);
    case csluice_block_coded: break;
    }
    if (!fill_input(inflate)) return false;
    switch (csluice_inflate_symbols(inflate)) {
    case symbols_paused: break;
    case symbols_ended: end_block(inflate); break;
    default: return false;
    }
    return !is_overrun(inflate);
}

/// Moves the window and the unread bytes to the start of the memory.
static void make_room(csluice_inflate *inflate) {
    size_t history = (size_t)(inflate->unread - inflate->output);
    if (history <= csluice_deflate_window) return;
    uint8_t *kept = inflate->unread - csluice_deflate_window;
    size_t offset = (size_t)(kept - inflate->output);
    memmove(inflate->output, kept, (size_t)(inflate->filled - kept));
    inflate->unread -= offset;
    inflate->filled -= offset;
}

const uint8_t *csluice_inflate_row(csluice_inflate *inflate, size_t row_bytes) {
    if (inflate->window == 0 && !read_header(inflate)) return NULL;
    if ((size_t)(inflate->filled - inflate->unread) < row_bytes) {
        make_room(inflate);
        for (int blocks = 0; inflate->filled < inflate->limit && !inflate->has_ended;) {
            blocks += inflate->block == csluice_block_none;
            if (blocks > max_blocks || !decompress(inflate)) return NULL;
        }
        if ((size_t)(inflate->filled - inflate->unread) < row_bytes) return NULL;
    }
    const uint8_t *row = inflate->unread;
    inflate->unread += row_bytes;
    return row;
}

bool csluice_inflate_finish(csluice_inflate *inflate, uint32_t checksum) {
    for (int blocks = 0; !inflate->has_ended;) {
        blocks += inflate->block == csluice_block_none;
        if (inflate->filled >= inflate->limit) make_room(inflate);
        if (blocks > max_blocks || inflate->filled != inflate->unread || !decompress(inflate)) return false;
    }
    if (inflate->filled != inflate->unread) return false;
    if (!align_to_byte(inflate) || !fill_input(inflate) || inflate->end - inflate->bits.next != 4) return false;
    const uint8_t *bytes = inflate->bits.next;
    uint32_t stored = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    return stored == checksum && inflate->is_padded;
}
