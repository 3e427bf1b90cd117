// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "codes.h"

/// Errors are measured in 256ths of a level, and bits in 256ths of a bit.
enum { level_unit = 256, bit_unit = 256, largest_error = 16 * level_unit, most_level = 1023 };

/// What a bit may cost, in squares of errors times 16: in flat blocks, and at most in blocks with much detail.
typedef struct {
    int64_t flat, most;
    /// The mean square of a pixel's deviation in a block, at which a bit may cost twice as much; 256 is one.
    int64_t detail;
} bit_value;

static const bit_value bit_values[2] = {{20972, 11 * 20972, 118 * 256}, {62915, 11 * 62915, 2000 * 256}};

/// The quantisation of a component.
typedef struct {
    /// Multiplies a coefficient, 65536 for one level.
    uint32_t factors[cjc_block];
    /// The bits of each symbol.
    int32_t bits[cjc_symbols];
} quantizer;

/// A coefficient in 256ths of a level, without its sign.
static inline int32_t magnitude(const quantizer *quantizer, int place, int coefficient) {
    return (int32_t)((uint32_t)abs(coefficient) * quantizer->factors[place] >> 12);
}

/// Rounds the coefficients of a block to the next levels; returns the bits of those that are not zero.
static uint64_t round_block(const quantizer *quantizer, const int16_t *coefficients, int16_t *levels) {
    for (int k = 0; k < cjc_block; k++) {
        int32_t level = (magnitude(quantizer, k, coefficients[k]) + level_unit / 2) / level_unit;
        if (k > 0 && level > most_level) level = most_level;
        levels[k] = (int16_t)(coefficients[k] < 0 ? -level : level);
    }
    uint64_t used = 0;
    for (int k = 1; k < cjc_block; k++) used |= (uint64_t)(levels[k] != 0) << k;
    return used;
}

static void round_component(const cjc_component *component, const quantizer *quantizer) {
    for (int y = 0; y < component->rows; y++) {
        size_t block = (size_t)y * (size_t)component->stride;
        for (int x = 0; x < component->columns; x++, block++) {
            component->used[block] = round_block(quantizer, component->coefficients + block * cjc_block,
                                                 component->levels + block * cjc_block);
        }
    }
}

/// The logarithm of a positive number to base 2, in 256ths.
static int32_t logarithm(uint32_t value) {
    int whole = cjc_bit_length(value) - 1;
    uint64_t mantissa = (uint64_t)value << (31 - whole);
    int32_t result = whole;
    for (int bit = 0; bit < 8; bit++) {
        mantissa = mantissa * mantissa >> 31;
        result = result << 1 | (int32_t)(mantissa >> 32);
        mantissa >>= mantissa >> 32;
    }
    return result;
}

/// Estimates the bits of each symbol, with those of the value that follows.
static void estimate_bits(int32_t bits[cjc_symbols], const cjc_histogram *histogram) {
    uint32_t total = 0;
    for (int symbol = 0; symbol < cjc_symbols; symbol++) total += histogram->counts[symbol];
    int32_t all = logarithm(total + 1);
    for (int symbol = 0; symbol < cjc_symbols; symbol++) {
        uint32_t count = histogram->counts[symbol];
        int32_t code = count == 0 ? all + bit_unit : all - logarithm(count);
        int32_t least = bit_unit / 3, most = cjc_max_code * bit_unit;
        bits[symbol] = (code < least ? least : code > most ? most : code) + (symbol & 15) * bit_unit;
    }
}

static int64_t square(int32_t error) {
    int64_t bounded = error > largest_error ? largest_error : error;
    return bounded * bounded * 16;
}

/// What a bit may cost in a block: the more detail hides errors, the more.
static int64_t value_of_bit(const bit_value *value, const int16_t *coefficients) {
    int64_t sum = 0;
    for (int k = 1; k < cjc_block; k++) sum += (int32_t)coefficients[k] * coefficients[k];
    int64_t result = value->flat + value->flat * (sum / cjc_block) / value->detail;
    return result < value->most ? result : value->most;
}

/// A level that a block may have, with the cheapest levels before it.
///
/// The cost is that of the whole block up to there, less the cost of leaving out all coefficients up to there.
typedef struct {
    int64_t cost;
    int place, level, before;
} step;

/// The steps to choose from, and the indices of those that can still be part of the cheapest way.
typedef struct {
    step steps[cjc_block];
    uint8_t open[cjc_block];
    int count, open_count;
} search;

static int64_t cost_of(int64_t value, int32_t bits) { return value * bits >> 8; }

/// Adds the cheapest step to the level at `place`, rounded to `level` or to the largest one of fewer bits.
static void add_step(search *search, int place, int32_t exact, int level, const int32_t *bits, int64_t value) {
    int size = cjc_bit_length((uint32_t)level), lower = (1 << (size - 1)) - 1;
    int64_t without = square(exact), error = square(abs(exact - level * level_unit)) - without;
    int64_t lower_error = square(abs(exact - lower * level_unit)) - without;
    step best = {.cost = INT64_MAX, .place = place};
    for (int i = 0; i < search->open_count; i++) {
        const step *before = &search->steps[search->open[i]];
        int zeros = place - before->place - 1, symbol = (zeros & 15) << 4 | size;
        int32_t skipped = (zeros >> 4) * bits[0xF0];
        int64_t cost = before->cost + error + cost_of(value, skipped + bits[symbol]);
        if (cost < best.cost) best = (step){cost, place, level, search->open[i]};
        if (lower == 0) continue;
        cost = before->cost + lower_error + cost_of(value, skipped + bits[symbol - 1]);
        if (cost < best.cost) best = (step){cost, place, lower, search->open[i]};
    }
    // The steps before this one save at most the bits of the longest code.
    int64_t most = best.cost + cost_of(value, cjc_max_code * bit_unit);
    int kept = 0;
    for (int i = 0; i < search->open_count; i++) {
        if (search->steps[search->open[i]].cost < most) search->open[kept++] = search->open[i];
    }
    search->open[kept] = (uint8_t)search->count;
    search->open_count = kept + 1;
    search->steps[search->count++] = best;
}

/// Lowers levels of a block, many to zero, where that saves more bits than it costs likeness.
static uint64_t improve_block(const quantizer *quantizer, const int16_t *coefficients, int16_t *levels, uint64_t used,
                              int64_t value) {
    search search;
    search.steps[0] = (step){0};
    search.open[0] = 0;
    search.count = search.open_count = 1;
    for (uint64_t rest = used; rest != 0; rest &= rest - 1) {
        int place = __builtin_ctzll(rest);
        add_step(&search, place, magnitude(quantizer, place, coefficients[place]), abs(levels[place]),
                 quantizer->bits, value);
        levels[place] = 0;
    }
    int last = 0;
    int64_t least = INT64_MAX;
    for (int i = 0; i < search.open_count; i++) {
        const step *step = &search.steps[search.open[i]];
        int64_t cost = step->cost + (step->place == cjc_block - 1 ? 0 : cost_of(value, quantizer->bits[0]));
        if (cost > least) continue;
        least = cost;
        last = search.open[i];
    }
    uint64_t kept = 0;
    for (int i = last; i > 0; i = search.steps[i].before) {
        int place = search.steps[i].place, level = search.steps[i].level;
        levels[place] = (int16_t)(coefficients[place] < 0 ? -level : level);
        kept |= 1ULL << place;
    }
    return kept;
}

static void improve_component(const cjc_component *component, const quantizer *quantizer, const bit_value *value) {
    for (int y = 0; y < component->rows; y++) {
        size_t block = (size_t)y * (size_t)component->stride;
        for (int x = 0; x < component->columns; x++, block++) {
            if (component->used[block] == 0) continue;
            const int16_t *coefficients = component->coefficients + block * cjc_block;
            component->used[block] = improve_block(quantizer, coefficients, component->levels + block * cjc_block,
                                                   component->used[block], value_of_bit(value, coefficients));
        }
    }
}

/// Gives the blocks without samples the levels that take the fewest bits.
static void fill_padding(const cjc_component *component) {
    for (int y = 0; y < component->depth; y++) {
        bool isInside = y < component->rows;
        for (int x = isInside ? component->columns : 0; x < component->stride; x++) {
            size_t row = (size_t)y * (size_t)component->stride, block = row + (size_t)x;
            int last = x / component->across * component->across + component->across - 1;
            size_t before = isInside ? block - 1 : row - (size_t)component->stride + (size_t)last;
            int16_t *levels = component->levels + block * cjc_block;
            memset(levels, 0, cjc_block * sizeof *levels);
            levels[0] = component->levels[before * cjc_block];
            component->used[block] = 0;
        }
    }
}

void cjc_picture_quantize(cjc_picture *picture, const uint16_t tables[2][cjc_block]) {
    quantizer quantizers[2];
    for (int k = 0; k < 2 * cjc_block; k++) {
        uint32_t step = tables[k / cjc_block][k % cjc_block];
        quantizers[k / cjc_block].factors[k % cjc_block] = (65536 + step / 2) / step;
    }
    for (int i = 0; i < picture->count; i++) {
        round_component(&picture->components[i], &quantizers[i > 0]);
        fill_padding(&picture->components[i]);
    }
    cjc_histogram dc[2] = {0}, ac[2] = {0};
    cjc_sink dc_sinks[2] = {{.histogram = &dc[0]}, {.histogram = &dc[1]}};
    cjc_sink ac_sinks[2] = {{.histogram = &ac[0]}, {.histogram = &ac[1]}};
    cjc_send_mcus(picture, dc_sinks, ac_sinks);
    for (int i = 0; i < 2; i++) estimate_bits(quantizers[i].bits, &ac[i]);
    for (int i = 0; i < picture->count; i++) {
        improve_component(&picture->components[i], &quantizers[i > 0], &bit_values[i > 0]);
    }
}
