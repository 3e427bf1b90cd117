// SPDX-License-Identifier: MIT
#include "scans.h"

// Functions take vectors wider than the machine's registers, but only functions that are always inlined.
#pragma clang diagnostic ignored "-Wpsabi"

enum {
    marker_rst0 = 0xD0,
    /// Larger coefficients are unusual, and might overflow in a later scan.
    max_coefficient = 1 << 14,
};

/// One bit of each coefficient of a block; the first coefficient's is the highest.
typedef uint64_t jpg_bit_plane;

static const jpg_bit_plane first_bit = 1ull << 63;

INLINE jpg_bit_plane bit_of(int k) { return first_bit >> k; }

INLINE int count_ones(jpg_bit_plane bits) { return __builtin_popcountll(bits); }

/// The coefficients that a scan contains.
INLINE jpg_bit_plane band_of(const jpg_scan *scan) {
    return UINT64_MAX >> scan->first & UINT64_MAX << (63 - scan->last);
}

/// Takes `count` bits and appends them to others; leaves 16 bits available of 39.
INLINE uint64_t append_bits(jpg_cursor *cursor, uint64_t bits, int count) {
    enum { most = 23 };
    for (; __builtin_expect(count > most, 0); count -= most) {
        bits = bits << most | cursor->bits >> (64 - most);
        jpg_consume(cursor, most);
        jpg_refill(cursor);
    }
    bits = bits << count | cursor->bits >> 1 >> (63 - count);
    jpg_consume(cursor, (uint32_t)count);
    return bits;
}

/// Distributes the lowest bits to the places that are set in the mask, in their order.
INLINE uint64_t deposit(uint64_t bits, uint64_t mask, bool has_pdep) {
    uint64_t out = 0;
#if defined(__x86_64__)
    if (has_pdep) {
        // An intrinsic would need a function that is only compiled for such processors.
        __asm__("pdep %2, %1, %0" : "=r"(out) : "r"(bits), "r"(mask));
        return out;
    }
#endif
    for (; bits != 0 && mask != 0; bits >>= 1, mask &= mask - 1) out |= mask & -(bits & 1) & -mask;
    return out;
}

/// Returns the next coefficient that is zero among those `left`, after as many zeros as the symbol has; 0 if there is
/// none. Counts those before it that are `known`.
INLINE jpg_bit_plane find_zero(jpg_bit_plane left, jpg_bit_plane known, uint32_t entry, int *passed, bool has_pdep) {
    if (has_pdep) {
        jpg_bit_plane zero = left & ~known;
        // The lowest six bits of the entry are -1 minus the number of zeros.
        jpg_bit_plane place = deposit(1ull << ((entry + (uint32_t)count_ones(zero)) & 63), zero, true);
        *passed = count_ones(known & left & -place);
        return place;
    }
    int first = __builtin_clzll(left) + jpg_symbol_zeros(entry), k = first;
    for (known &= left; known != 0 && __builtin_clzll(known) <= k; k++) known ^= bit_of(__builtin_clzll(known));
    *passed = k - first;
    return k < jpg_block_size ? bit_of(k) & left : 0;
}

/// The next bits of a block's coefficients.
typedef struct {
    jpg_bit_plane set;
    /// Those that are the first of a coefficient, and of a negative one.
    jpg_bit_plane added, negative;
} jpg_refined;

/// Decodes one more bit of the coefficients in `band`, of which those `known` are not zero; returns false on doubt.
INLINE bool refine_ac(jpg_cursor *cursor, const jpg_symbols *table, uint32_t *end_run, jpg_bit_plane band,
                      jpg_bit_plane known, bool has_pdep, jpg_refined *out) {
    jpg_bit_plane left = band, added = 0, negative = 0;
    uint64_t corrections = 0;
    uint32_t ended = *end_run;
    while (ended == 0 && left != 0) {
        uint32_t entry = jpg_take_any_symbol(cursor, table);
        if (!(entry & jpg_value_flag)) {
            ended = entry & jpg_end_run_flag ? entry >> 16 : 0;
            if (ended > 0) break;
            if (entry == 0) return false;
        }
        int passed;
        jpg_bit_plane place = find_zero(left, known, entry, &passed, has_pdep);
        if (place == 0) return false;
        corrections = append_bits(cursor, corrections, passed);
        left &= place - 1;
        added |= entry & jpg_value_flag ? place : 0;
        negative |= (int32_t)entry < 0 ? place : 0;
    }
    if (ended > 0) {
        jpg_refill(cursor);
        corrections = append_bits(cursor, corrections, count_ones(known & left));
        jpg_refill(cursor);
        ended--;
    }
    *end_run = ended;
    *out = (jpg_refined){.set = deposit(corrections, known, has_pdep) | added, .added = added, .negative = negative};
    return true;
}

typedef int16_t short16 __attribute__((vector_size(32)));
typedef uint8_t byte16 __attribute__((vector_size(16)));
typedef int8_t mask16 __attribute__((vector_size(16)));
typedef uint64_t word16 __attribute__((vector_size(128)));

/// Returns which of 16 bytes have this bit.
INLINE short16 lanes_with(byte16 bytes, uint8_t bit) {
    return __builtin_convertvector((mask16)((bytes & bit) == bit), short16);
}

/// Returns eight bits of each of 16 blocks; the lowest one is at `shift`.
INLINE byte16 eight_of(const jpg_bit_plane *bits, int shift) {
    word16 words;
    memcpy(&words, bits, sizeof words);
    return __builtin_convertvector(words >> shift, byte16);
}

/// The next bits of the coefficients of a batch.
typedef struct {
    jpg_bit_plane set[jpg_lanes], negative[jpg_lanes];
} jpg_refined_batch;

/// Adds bits to a batch, as those at `low_bit`; `all` are those that any block has.
INLINE void add_bits(jpg_batch_block *batch, const jpg_refined_batch *bits, jpg_bit_plane all, int low_bit) {
    for (int first = 0; first < jpg_block_size; first += 8) {
        unsigned some = all >> (56 - first) & 255;
        if (some == 0) continue;
        byte16 set = eight_of(bits->set, 56 - first), negative = eight_of(bits->negative, 56 - first);
        for (; some != 0; some &= some - 1) {
            int bit = __builtin_ctz(some);
            int16_t *values = batch->values + (first + 7 - bit) * jpg_lanes;
            short16 old;
            memcpy(&old, values, sizeof old);
            short16 sign = old >> 15 | lanes_with(negative, (uint8_t)(1 << bit));
            short16 step = lanes_with(set, (uint8_t)(1 << bit)) & (int16_t)(1 << low_bit);
            old += (step ^ sign) - sign;
            memcpy(values, &old, sizeof old);
        }
    }
}

/// Decodes the first bits of a block's coefficients.
INLINE bool decode_ac(jpg_cursor *cursor, const jpg_symbols *table, uint32_t *end_run, const jpg_scan *scan,
                      int16_t *coefficients, jpg_bit_plane *nonzero) {
    jpg_bit_plane added = 0;
    for (int k = scan->first; k <= scan->last; k++) {
        uint32_t entry = jpg_take_any_symbol(cursor, table);
        if (entry & jpg_end_run_flag) {
            *end_run = entry >> 16;
            break;
        }
        int value = jpg_symbol_value(entry), limit = max_coefficient >> scan->low_bit;
        k += jpg_symbol_zeros(entry);
        if (entry == 0 || k > scan->last || value <= -limit || value >= limit) return false;
        if (value == 0) continue;
        coefficients[k * jpg_lanes] = (int16_t)(value * (1 << scan->low_bit));
        added |= bit_of(k);
    }
    *nonzero |= added;
    return true;
}

INLINE void note_used(uint8_t *used, jpg_bit_plane nonzero) {
    int count = nonzero == 0 ? 0 : jpg_block_size - __builtin_ctzll(nonzero);
    if (*used < count) *used = (uint8_t)count;
}

/// The blocks of a scan's only component from `first` up to `end` in a batch.
typedef struct {
    jpg_batch_block *batch;
    jpg_bit_plane *nonzero;
    uint8_t *used;
    int first, end;
} jpg_range;

/// Decodes the first bits of the blocks' coefficients; returns false on doubt.
INLINE bool decode_range(jpg_cursor *cursor, const jpg_symbols *table, uint32_t *end_run, const jpg_scan *scan,
                         jpg_range range) {
    jpg_bit_plane all = 0;
    for (int lane = range.first; lane < range.end; lane++) {
        if (*end_run > 0) {
            uint32_t left = (uint32_t)(range.end - lane), skipped = *end_run < left ? *end_run : left;
            *end_run -= skipped;
            lane += (int)skipped - 1;
            continue;
        }
        if (!decode_ac(cursor, table, end_run, scan, range.batch->values + lane, &range.nonzero[lane])) return false;
        if (*end_run > 0) --*end_run;
        all |= range.nonzero[lane];
    }
    note_used(range.used, all);
    return true;
}

/// Decodes one more bit of the blocks' coefficients; returns false on doubt.
INLINE bool refine_range(jpg_cursor *cursor, const jpg_symbols *table, uint32_t *end_run, const jpg_scan *scan,
                         jpg_range range, bool has_pdep) {
    jpg_refined_batch bits;
    memset(&bits, 0, sizeof bits);
    jpg_bit_plane band = band_of(scan), all = 0;
    for (int lane = range.first; lane < range.end; lane++) {
        jpg_refined block;
        if (!refine_ac(cursor, table, end_run, band, range.nonzero[lane] & band, has_pdep, &block)) return false;
        range.nonzero[lane] |= block.added;
        bits.set[lane] = block.set;
        bits.negative[lane] = block.negative;
        all |= block.set;
    }
    add_bits(range.batch, &bits, all, scan->low_bit);
    note_used(range.used, all);
    return true;
}

/// Decodes `count` blocks, at most to the end of a batch, except their first coefficients.
INLINE bool decode_blocks(jpg_cursor *cursor, jpg_scans *scans, const jpg_scan *scan, int column, int count,
                          bool has_pdep) {
    jpg_coefficients *component = &scans->components[scan->components[0]];
    size_t number = (size_t)scans->row * (size_t)component->batches_across + (size_t)(column / jpg_lanes);
    jpg_range range = {
        .batch = component->batches + number,
        .nonzero = component->nonzero + number * jpg_lanes,
        .used = component->used + number,
        .first = column % jpg_lanes,
        .end = column % jpg_lanes + count,
    };
    uint32_t end_run = scans->end_run;
    bool is_sure = scan->refines ? refine_range(cursor, &scans->tables[0], &end_run, scan, range, has_pdep)
                                 : decode_range(cursor, &scans->tables[0], &end_run, scan, range);
    scans->end_run = end_run;
    return is_sure;
}

/// Decodes the first bits of a block's first coefficient; returns false on doubt.
INLINE bool decode_dc(jpg_cursor *cursor, const jpg_symbols *table, int low_bit, int *last, int16_t *coefficient) {
    uint32_t entry = jpg_take_any_symbol(cursor, table);
    int value = *last + jpg_symbol_value(entry), limit = max_coefficient >> low_bit;
    if (entry == 0 || value <= -limit || value >= limit) return false;
    *last = value;
    *coefficient = (int16_t)(value * (1 << low_bit));
    return true;
}

INLINE void refine_dc(jpg_cursor *cursor, int low_bit, int16_t *coefficient) {
    *coefficient = (int16_t)(*coefficient | (cursor->bits >> 63) << low_bit);
    jpg_consume(cursor, 1);
    jpg_refill(cursor);
}

/// Decodes the first coefficients of `count` MCUs, or of blocks of a single component; returns false on doubt.
INLINE bool decode_first(jpg_cursor *cursor, jpg_scans *scans, const jpg_header *header, int column, int count) {
    const jpg_scan *scan = &header->scan;
    bool is_single = scan->component_count == 1;
    for (int end = column + count; column < end; column++) {
        for (int i = 0; i < scan->component_count; i++) {
            jpg_coefficients *component = &scans->components[scan->components[i]];
            int across = is_single ? 1 : header->components[i].across;
            int down = is_single ? 1 : header->components[i].down;
            size_t stride = (size_t)component->batches_across * jpg_lanes;
            int16_t *row = component->first + (size_t)(scans->row * down) * stride + column * across;
            for (int y = 0; y < down; y++, row += stride) {
                for (int x = 0; x < across; x++) {
                    if (scan->refines) {
                        refine_dc(cursor, scan->low_bit, row + x);
                    } else if (!decode_dc(cursor, &scans->tables[i], scan->low_bit, &scans->last_dc[i], row + x)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

/// Skips the restart marker, which must be the next one in order.
static bool restart(jpg_scans *scans, const jpg_header *header) {
    if (scans->end_run != 0 || jpg_bits_finish(&scans->bits) != marker_rst0 + scans->next_restart) return false;
    jpg_bits_restart(&scans->bits);
    scans->next_restart = (scans->next_restart + 1) & 7;
    scans->restart_left = header->restart_interval;
    memset(scans->last_dc, 0, sizeof scans->last_dc);
    return true;
}

INLINE bool jpg_decode_row(jpg_scans *scans, const jpg_header *header, int count, bool has_pdep) {
    const jpg_scan *scan = &header->scan;
    for (int column = 0; column < count;) {
        int first = column % jpg_lanes, run = jpg_lanes - first;
        if (run > count - column) run = count - column;
        if (header->restart_interval != 0) {
            if (scans->restart_left == 0 && !restart(scans, header)) return false;
            if (run > scans->restart_left) run = scans->restart_left;
            scans->restart_left -= run;
        }
        if (!jpg_bits_fill(&scans->bits, (size_t)run * jpg_max_mcu_blocks * jpg_max_block_bytes)) return false;
        jpg_cursor cursor = scans->bits.cursor;
        jpg_refill(&cursor);
        bool is_sure = scan->first > 0 ? decode_blocks(&cursor, scans, scan, column, run, has_pdep)
                                       : decode_first(&cursor, scans, header, column, run);
        if (!is_sure) return false;
        column += run;
        scans->bits.cursor = cursor;
        if (jpg_bits_left(&scans->bits) < 0) return false;
    }
    return true;
}

#if defined(__x86_64__)
__attribute__((target("avx2,bmi,bmi2"))) static bool jpg_decode_row_avx2(jpg_scans *scans, const jpg_header *header,
                                                                     int count) {
    return jpg_decode_row(scans, header, count, true);
}

/// The first processors of AMD with this instruction take hundreds of cycles for it.
static bool has_fast_pdep(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("amdfam15h") &&
           !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}

bool csluice_jpg_decode_row(jpg_scans *scans, const jpg_header *header, int count) {
    return has_fast_pdep() ? jpg_decode_row_avx2(scans, header, count) : jpg_decode_row(scans, header, count, false);
}
#else
bool csluice_jpg_decode_row(jpg_scans *scans, const jpg_header *header, int count) {
    return jpg_decode_row(scans, header, count, false);
}
#endif
