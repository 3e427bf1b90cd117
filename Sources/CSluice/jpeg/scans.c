// SPDX-License-Identifier: MIT
#include "csluice_jpeg_decoder.h"
#include "scans.h"

#include <stdlib.h>

enum {
    marker_rst0 = 0xD0, marker_eoi = 0xD9,
    /// Larger coefficients are unusual, and might overflow in a later scan.
    max_coefficient = 1 << 14,
};

static int divide_up(int value, int divisor) { return (value + divisor - 1) / divisor; }

static void plan(jpg_scans *scans, const jpg_header *header) {
    bool is_grey = header->component_count == 1;
    int most_across = is_grey ? 1 : header->components[0].across, most_down = is_grey ? 1 : header->components[0].down;
    scans->mcus_across = divide_up(header->width, most_across * 8);
    scans->mcus_down = divide_up(header->height, most_down * 8);
    for (int i = 0; i < header->component_count; i++) {
        jpg_coefficients *component = &scans->components[i];
        int across = is_grey ? 1 : header->components[i].across, down = is_grey ? 1 : header->components[i].down;
        component->across = divide_up(header->width * across, most_across * 8);
        component->down = divide_up(header->height * down, most_down * 8);
        component->padded_across = scans->mcus_across * across;
        component->padded_down = scans->mcus_down * down;
        component->batches_across = divide_up(scans->mcus_across, jpg_lanes) * across;
        memset(component->known_bits, -1, sizeof component->known_bits);
    }
}

static size_t batch_count(const jpg_coefficients *component) {
    return (size_t)component->batches_across * (size_t)component->padded_down;
}

/// A batch, the bits of its blocks, and the number of coefficients in use.
static const size_t batch_bytes = sizeof(jpg_batch_block) + jpg_lanes * sizeof(uint64_t) + 1;

size_t csluice_jpeg_decoder_component_bytes(int mcus_across, int mcus_down, int across, int down) {
    return (size_t)(divide_up(mcus_across, jpg_lanes) * across) * (size_t)(mcus_down * down) * batch_bytes;
}

static bool allocate(jpg_scans *scans, int count, size_t memory) {
    size_t total = 0;
    for (int i = 0; i < count; i++) total += batch_count(&scans->components[i]);
    scans->memory = total * batch_bytes <= memory ? calloc(total, batch_bytes) : NULL;
    if (!scans->memory) return false;
    jpg_batch_block *batches = scans->memory;
    uint64_t *nonzero = (uint64_t *)(batches + total);
    uint8_t *used = (uint8_t *)(nonzero + total * jpg_lanes);
    for (int i = 0; i < count; i++) {
        jpg_coefficients *component = &scans->components[i];
        component->batches = batches;
        component->nonzero = nonzero;
        component->used = used;
        batches += batch_count(component);
        nonzero += batch_count(component) * jpg_lanes;
        used += batch_count(component);
    }
    return true;
}

/// Returns whether the scan adds the next bit of its coefficients, or their first ones.
static bool is_in_order(jpg_scans *scans, const jpg_scan *scan) {
    for (int i = 0; i < scan->component_count; i++) {
        int8_t *known = scans->components[scan->components[i]].known_bits;
        if (scan->first > 0 && known[0] < 0) return false;
        for (int k = scan->first; k <= scan->last; k++) {
            bool is_next = known[k] < 0 ? !scan->refines : scan->refines && known[k] == scan->low_bit + 1;
            if (!is_next) return false;
            known[k] = (int8_t)scan->low_bit;
        }
    }
    return true;
}

static bool has_all_bits(const jpg_scans *scans, int count) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < jpg_block_size; k++) {
            if (scans->components[i].known_bits[k] != 0) return false;
        }
    }
    return true;
}

/// Builds the tables of a scan and forgets the state of the last one.
static bool begin_scan(jpg_scans *scans, const jpg_header *header) {
    const jpg_scan *scan = &header->scan;
    if (scans->scans_left-- == 0 || !is_in_order(scans, scan)) return false;
    for (int i = 0; i < scan->component_count; i++) {
        const jpg_component *component = &header->components[scan->components[i]];
        if (scan->first == 0 && scan->refines) continue;
        bool is_built = scan->first == 0 ? jpg_build_dc_symbols(&scans->tables[i], &header->dc[component->dc_slot])
                                         : jpg_build_symbols(&scans->tables[i], &header->ac[component->ac_slot]);
        if (!is_built) return false;
    }
    memset(scans->last_dc, 0, sizeof scans->last_dc);
    scans->row = scans->next_restart = 0;
    scans->end_run = 0;
    scans->restart_left = header->restart_interval;
    jpg_bits_restart(&scans->bits);
    return true;
}

bool jpg_scans_init(jpg_scans *scans, const jpg_header *header, csluice_stream *stream, size_t memory, int max_scans) {
    plan(scans, header);
    scans->scans_left = max_scans;
    jpg_bits_init(&scans->bits, stream);
    if (!allocate(scans, header->component_count, memory)) return false;
    if (begin_scan(scans, header)) return true;
    jpg_scans_free(scans);
    return false;
}

void jpg_scans_free(jpg_scans *scans) { free(scans->memory); }

/// One block of a scan.
typedef struct {
    int16_t *coefficients;
    uint64_t *nonzero;
    uint8_t *used;
} jpg_target;

INLINE jpg_target target_at(const jpg_coefficients *component, int row, int column) {
    size_t batch = (size_t)row * (size_t)component->batches_across + (size_t)(column / jpg_lanes);
    size_t lane = (size_t)column % jpg_lanes;
    return (jpg_target){
        .coefficients = component->batches[batch].values + lane,
        .nonzero = component->nonzero + batch * jpg_lanes + lane,
        .used = component->used + batch,
    };
}

INLINE void note_used(jpg_target target, int k) {
    if (*target.used <= k) *target.used = (uint8_t)(k + 1);
}

INLINE bool take_bit(jpg_cursor *cursor) {
    bool bit = cursor->bits >> 63;
    jpg_consume(cursor, 1);
    return bit;
}

INLINE bool decode_dc(jpg_cursor *cursor, const jpg_symbols *table, jpg_target target, int low_bit, int *last) {
    jpg_refill(cursor);
    int size = jpg_take_any_symbol(cursor, table);
    if (size < 0) return false;
    int value = *last + jpg_take_value(cursor, size);
    if (value <= -(max_coefficient >> low_bit) || value >= max_coefficient >> low_bit) return false;
    *last = value;
    target.coefficients[0] = (int16_t)(value * (1 << low_bit));
    note_used(target, 0);
    return true;
}

/// Takes the number of blocks, with this one, without further new coefficients; 0 if `symbol` means something else.
INLINE uint32_t take_end_run(jpg_cursor *cursor, int symbol) {
    int size = symbol >> 4;
    if (symbol & 15 || size == 15) return 0;
    if (size == 0) return 1;
    uint32_t rest = (uint32_t)(cursor->bits >> (64 - size));
    jpg_consume(cursor, (uint32_t)size);
    return (1u << size) + rest;
}

/// Decodes the first bits of a block's coefficients.
INLINE bool decode_ac(jpg_cursor *cursor, jpg_scans *scans, jpg_target target, const jpg_scan *scan) {
    if (scans->end_run > 0) {
        scans->end_run--;
        return true;
    }
    uint64_t nonzero = 0;
    int k = scan->first;
    while (k <= scan->last) {
        jpg_refill(cursor);
        int symbol = jpg_take_any_symbol(cursor, &scans->tables[0]);
        if (symbol < 0) return false;
        uint32_t run = take_end_run(cursor, symbol);
        if (run > 0) {
            scans->end_run = run - 1;
            break;
        }
        k += symbol >> 4;
        if (k > scan->last) return false;
        if (symbol & 15) {
            int value = jpg_take_value(cursor, symbol & 15) * (1 << scan->low_bit);
            if (value <= -max_coefficient || value >= max_coefficient) return false;
            target.coefficients[k * jpg_lanes] = (int16_t)value;
            nonzero |= 1ull << k;
        }
        k++;
    }
    if (nonzero == 0) return true;
    *target.nonzero |= nonzero;
    note_used(target, 63 - __builtin_clzll(nonzero));
    return true;
}

/// Takes the next bit of a coefficient that is not zero.
INLINE void correct(jpg_cursor *cursor, int16_t *coefficient, int low_bit) {
    int step = take_bit(cursor) ? 1 << low_bit : 0;
    *coefficient = (int16_t)(*coefficient + (*coefficient < 0 ? -step : step));
}

/// Takes the next bits of the coefficients from `k` on that are not zero.
INLINE void correct_all(jpg_cursor *cursor, int16_t *coefficients, uint64_t nonzero, int low_bit) {
    jpg_refill(cursor);
    for (int count = 0; nonzero != 0; nonzero &= nonzero - 1, count++) {
        if (count == 32) jpg_refill(cursor);
        correct(cursor, coefficients + __builtin_ctzll(nonzero) * jpg_lanes, low_bit);
    }
}

/// Passes over `zeros` coefficients that are zero, up to the next such one, and corrects those between them.
INLINE int pass_zeros(jpg_cursor *cursor, jpg_target target, int k, int zeros, const jpg_scan *scan) {
    uint64_t nonzero = *target.nonzero;
    jpg_refill(cursor);
    for (int count = 0; k <= scan->last; k++) {
        if (nonzero >> k & 1) {
            if (count++ == 32) jpg_refill(cursor);
            correct(cursor, target.coefficients + k * jpg_lanes, scan->low_bit);
        } else if (zeros-- == 0) {
            break;
        }
    }
    return k;
}

/// Decodes one more bit of a block's coefficients.
INLINE bool refine_ac(jpg_cursor *cursor, jpg_scans *scans, jpg_target target, const jpg_scan *scan) {
    int k = scan->first;
    uint64_t added = 0;
    while (scans->end_run == 0 && k <= scan->last) {
        jpg_refill(cursor);
        int symbol = jpg_take_any_symbol(cursor, &scans->tables[0]);
        if (symbol < 0 || (symbol & 15) > 1) return false;
        scans->end_run = take_end_run(cursor, symbol);
        if (scans->end_run > 0) break;
        int value = 0;
        if (symbol & 15) value = take_bit(cursor) ? 1 << scan->low_bit : -(1 << scan->low_bit);
        k = pass_zeros(cursor, target, k, symbol >> 4, scan);
        if (k > scan->last) return false;
        if (value != 0) {
            target.coefficients[k * jpg_lanes] = (int16_t)value;
            added |= 1ull << k;
        }
        k++;
    }
    if (scans->end_run > 0) {
        uint64_t range = k > scan->last ? 0 : UINT64_MAX << k & UINT64_MAX >> (63 - scan->last);
        correct_all(cursor, target.coefficients, *target.nonzero & range, scan->low_bit);
        scans->end_run--;
    }
    if (added == 0) return true;
    *target.nonzero |= added;
    note_used(target, 63 - __builtin_clzll(added));
    return true;
}

INLINE bool decode_block(jpg_cursor *cursor, jpg_scans *scans, const jpg_scan *scan, int i, jpg_target target) {
    if (scan->first > 0) {
        return scan->refines ? refine_ac(cursor, scans, target, scan) : decode_ac(cursor, scans, target, scan);
    }
    if (!scan->refines) return decode_dc(cursor, &scans->tables[i], target, scan->low_bit, &scans->last_dc[i]);
    jpg_refill(cursor);
    if (take_bit(cursor)) target.coefficients[0] |= (int16_t)(1 << scan->low_bit);
    return true;
}

/// Decodes one block of a single component, or all of an MCU.
INLINE bool decode_mcu(jpg_cursor *cursor, jpg_scans *scans, const jpg_header *header, int column) {
    const jpg_scan *scan = &header->scan;
    if (scan->component_count == 1) {
        jpg_target target = target_at(&scans->components[scan->components[0]], scans->row, column);
        return decode_block(cursor, scans, scan, 0, target);
    }
    for (int i = 0; i < scan->component_count; i++) {
        int across = header->components[i].across, down = header->components[i].down;
        for (int place = 0; place < across * down; place++) {
            int row = scans->row * down + place / across;
            jpg_target target = target_at(&scans->components[i], row, column * across + place % across);
            if (!decode_block(cursor, scans, scan, i, target)) return false;
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

INLINE bool jpg_decode_row(jpg_scans *scans, const jpg_header *header, int count) {
    for (int column = 0; column < count;) {
        int run = count - column < jpg_lanes ? count - column : jpg_lanes;
        if (header->restart_interval != 0) {
            if (scans->restart_left == 0 && !restart(scans, header)) return false;
            if (run > scans->restart_left) run = scans->restart_left;
            scans->restart_left -= run;
        }
        if (!jpg_bits_fill(&scans->bits, (size_t)run * jpg_max_mcu_blocks * jpg_max_block_bytes)) return false;
        jpg_cursor cursor = scans->bits.cursor;
        for (int end = column + run; column < end; column++) {
            if (!decode_mcu(&cursor, scans, header, column)) return false;
        }
        scans->bits.cursor = cursor;
        if (jpg_bits_left(&scans->bits) < 0) return false;
    }
    return true;
}

DISPATCH(bool, jpg_decode_row, (jpg_scans *scans, const jpg_header *header, int count), (scans, header, count))

jpg_scans_state jpg_scans_read_row(jpg_scans *scans, jpg_header *header) {
    const jpg_coefficients *only = &scans->components[header->scan.components[0]];
    bool is_single = header->scan.component_count == 1;
    if (!csluice_jpg_decode_row(scans, header, is_single ? only->across : scans->mcus_across)) return jpg_scans_doubt;
    if (++scans->row < (is_single ? only->down : scans->mcus_down)) return jpg_scans_more;
    if (scans->end_run != 0) return jpg_scans_doubt;
    int marker = jpg_bits_finish(&scans->bits);
    if (marker == marker_eoi) {
        return has_all_bits(scans, header->component_count) ? jpg_scans_complete : jpg_scans_doubt;
    }
    if (!jpg_read_next_scan(scans->bits.stream, marker, header)) return jpg_scans_doubt;
    return begin_scan(scans, header) ? jpg_scans_more : jpg_scans_doubt;
}
