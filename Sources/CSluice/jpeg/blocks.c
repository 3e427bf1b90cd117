// SPDX-License-Identifier: MIT
#include "blocks.h"

enum { marker_rst0 = 0xD0, marker_eoi = 0xD9 };

/// Lists the blocks of 16 MCUs; adjacent blocks of a component are in adjacent lanes.
static void list_blocks(jpg_blocks *blocks, const jpg_header *header, const int dc_tables[]) {
    bool is_grey = header->component_count == 1;
    jpg_block *block = blocks->blocks;
    for (int mcu = 0; mcu < jpg_lanes; mcu++) {
        int first_batch = 0;
        for (int i = 0; i < header->component_count; i++) {
            const jpg_component *component = &header->components[i];
            int across = is_grey ? 1 : component->across, down = is_grey ? 1 : component->down;
            for (int place = 0; place < across * down; place++, block++) {
                int column = mcu * across + place % across;
                int batch = first_batch + place / across * across + column / jpg_lanes;
                *block = (jpg_block){
                    .dc = &blocks->dc[dc_tables[i]],
                    .ac = &blocks->ac[component->ac_slot],
                    .coefficients = blocks->batches[batch] + column % jpg_lanes,
                    .component = i,
                    .batch = batch,
                };
            }
            first_batch += across * down;
        }
        blocks->mcu_blocks = first_batch;
    }
    block[0] = block[1] = blocks->blocks[0];
}

/// Builds the tables; components with the same slots share them.
static bool build_tables(jpg_blocks *blocks, const jpg_header *header, int dc_tables[]) {
    for (int i = 0; i < header->component_count; i++) {
        const jpg_component *component = &header->components[i];
        int dc = component->dc_slot, ac = component->ac_slot;
        bool has_ac = false;
        dc_tables[i] = i;
        for (int j = 0; j < i; j++) {
            bool is_same = header->components[j].ac_slot == ac;
            has_ac |= is_same;
            if (is_same && header->components[j].dc_slot == dc) dc_tables[i] = dc_tables[j];
        }
        if (!has_ac && !jpg_build_ac(&blocks->ac[ac], &header->ac[ac])) return false;
        if (dc_tables[i] == i && !jpg_build_dc(&blocks->dc[i], &header->dc[dc], &header->ac[ac])) return false;
    }
    return true;
}

bool jpg_blocks_init(jpg_blocks *blocks, const jpg_header *header, csluice_stream *stream) {
    int dc_tables[jpg_max_components];
    if (!build_tables(blocks, header, dc_tables)) return false;
    list_blocks(blocks, header, dc_tables);
    blocks->restart_interval = blocks->restart_left = header->restart_interval;
    blocks->next_restart = 0;
    memset(blocks->last_dc, 0, sizeof blocks->last_dc);
    memset(blocks->batches, 0, sizeof blocks->batches);
    memset(blocks->used, 0, sizeof blocks->used);
    jpg_bits_init(&blocks->bits, stream);
    return true;
}

/// Skips the restart marker, which must be the next one in order.
static bool restart(jpg_blocks *blocks) {
    if (jpg_bits_finish(&blocks->bits) != marker_rst0 + blocks->next_restart) return false;
    jpg_bits_restart(&blocks->bits);
    blocks->next_restart = (blocks->next_restart + 1) & 7;
    blocks->restart_left = blocks->restart_interval;
    memset(blocks->last_dc, 0, sizeof blocks->last_dc);
    return true;
}

bool jpg_blocks_skip(jpg_blocks *blocks, size_t count) {
    while (count > 0) {
        if (blocks->restart_left == 0 && !restart(blocks)) return false;
        size_t left = (size_t)blocks->restart_left;
        if (count >= left) {
            if (!jpg_bits_skip(&blocks->bits)) return false;
            blocks->restart_left = 0;
            count -= left;
        } else {
            size_t run = count < jpg_lanes ? count : jpg_lanes;
            if (!csluice_jpg_decode_mcus(blocks, (int)run)) return false;
            for (int batch = 0; batch < blocks->mcu_blocks; batch++) jpg_blocks_clear(blocks, batch);
            count -= run;
        }
    }
    return true;
}

bool jpg_blocks_end_interval(jpg_blocks *blocks) {
    return blocks->restart_left != 0 || jpg_bits_finish(&blocks->bits) == marker_rst0 + blocks->next_restart;
}

bool jpg_blocks_finish(jpg_blocks *blocks) { return jpg_bits_finish(&blocks->bits) == marker_eoi; }

INLINE void store(int16_t *block, unsigned k, int value) { block[k * jpg_lanes] = (int16_t)value; }

/// The state of the loop over the entries.
typedef struct {
    jpg_cursor cursor;
    jpg_block *block;
    /// The table for the next entry.
    const jpg_table *table;
    const jpg_table *ac, *next_dc;
    /// The number of coefficients that are decoded.
    unsigned k;
} jpg_position;

INLINE void next_block(jpg_position *position) {
    position->block->used = position->k;
    position->block++;
    position->table = position->block->dc;
    position->ac = position->block->ac;
    position->next_dc = position->block[1].dc;
    position->k = 0;
}

INLINE uint32_t look_up(const jpg_position *position) {
    return position->table->entries[position->cursor.bits >> (64 - jpg_lookup_bits)];
}

/// Decodes one entry; returns false, without an effect, if the block may end inside it or the table lacks the codes.
///
/// A branch at the end of a block would often be mispredicted, and costs as much as three entries.
INLINE bool take_entry(jpg_position *position, uint32_t entry) {
    jpg_block *block = position->block;
    unsigned end = position->k + jpg_entry_advance(entry);
    // If there is only one coefficient, it replaces the second.
    store(block->coefficients, end - 1, jpg_entry_second(entry));
    store(block->coefficients, position->k + jpg_entry_zeros(entry), jpg_entry_first(entry));
    if (__builtin_expect(end >= jpg_block_size, 0)) return false;
    jpg_consume(&position->cursor, entry);
    block->used = end;
    bool ends = entry & jpg_end_flag;
    position->table = __builtin_unpredictable(ends) ? position->next_dc : position->ac;
    block = __builtin_unpredictable(ends) ? block + 1 : block;
    position->k = __builtin_unpredictable(ends) ? 0 : end;
    position->block = block;
    position->ac = block->ac;
    position->next_dc = block[1].dc;
    return true;
}

/// Decodes one symbol that `take_entry` did not; returns false on doubt.
INLINE bool take_symbol(jpg_position *position, uint32_t entry) {
    jpg_cursor *cursor = &position->cursor;
    int16_t *block = position->block->coefficients;
    unsigned length = jpg_entry_bits(entry) == 0 ? jpg_entry_code_length(entry) : 0;
    int symbol = (int)jpg_entry_symbol(entry);
    jpg_refill(cursor);
    if (length != 0) {
        jpg_consume(cursor, length);
    } else {
        symbol = jpg_take_symbol(cursor, &position->table->codes);
    }
    if (symbol < 0) return false;
    bool is_dc = position->k == 0;
    unsigned zeros = is_dc ? 0 : (unsigned)symbol >> 4;
    int size = is_dc ? symbol : symbol & 15;
    store(block, position->k, 0);
    if (!is_dc && symbol == 0) {
        next_block(position);
        return true;
    }
    if ((size == 0 && zeros != 0 && zeros != 15) || position->k + zeros >= jpg_block_size) return false;
    store(block, position->k + zeros, jpg_take_value(cursor, size));
    position->k += zeros + 1;
    position->table = position->block->ac;
    if (position->k == jpg_block_size) next_block(position);
    return true;
}

/// Decodes blocks up to `end`; their first coefficients are differences. Returns false on doubt.
INLINE bool decode_blocks(jpg_cursor *cursor, jpg_block *first, const jpg_block *end) {
    jpg_position position = {
        .cursor = *cursor, .block = first, .table = first->dc, .ac = first->ac, .next_dc = first[1].dc};
    jpg_refill(&position.cursor);
    uint32_t entry = look_up(&position);
    while (position.block != end) {
        jpg_refill(&position.cursor);
        // Four entries have at most 44 bits: the next look-up need not wait for more.
        int left = 4;
        for (; left > 0 && position.block != end; left--) {
            if (__builtin_expect(!take_entry(&position, entry), 0)) break;
            entry = look_up(&position);
        }
        if (left == 0 || position.block == end) continue;
        if (!take_symbol(&position, entry)) return false;
        entry = look_up(&position);
    }
    *cursor = position.cursor;
    return true;
}

/// Adds the predictions to the first coefficients and notes the coefficients in use.
INLINE bool complete_blocks(jpg_blocks *blocks, const jpg_block *first, const jpg_block *end) {
    for (const jpg_block *block = first; block != end; block++) {
        int dc = blocks->last_dc[block->component] + block->coefficients[0];
        if (dc != (int16_t)dc) return false;
        blocks->last_dc[block->component] = dc;
        block->coefficients[0] = (int16_t)dc;
        if (blocks->used[block->batch] < block->used) blocks->used[block->batch] = (uint8_t)block->used;
    }
    return true;
}

INLINE bool jpg_decode_mcus(jpg_blocks *blocks, int count) {
    jpg_bits *bits = &blocks->bits;
    jpg_block *block = blocks->blocks;
    while (count > 0) {
        int run = count;
        if (blocks->restart_interval != 0) {
            if (blocks->restart_left == 0 && !restart(blocks)) return false;
            if (run > blocks->restart_left) run = blocks->restart_left;
            blocks->restart_left -= run;
        }
        jpg_block *end = block + run * blocks->mcu_blocks;
        if (!jpg_bits_fill(bits, (size_t)(end - block) * jpg_max_block_bytes)) return false;
        if (!decode_blocks(&bits->cursor, block, end) || jpg_bits_left(bits) < 0) return false;
        if (!complete_blocks(blocks, block, end)) return false;
        block = end;
        count -= run;
    }
    return true;
}

DISPATCH(bool, jpg_decode_mcus, (jpg_blocks *blocks, int count), (blocks, count))
