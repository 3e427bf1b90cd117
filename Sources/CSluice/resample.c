// SPDX-License-Identifier: MIT
#include "csluice_resample.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF
// Functions take vectors wider than the machine's registers, but only functions that are always inlined.
#pragma clang diagnostic ignored "-Wpsabi"

typedef float float4 __attribute__((vector_size(16)));
typedef float float8 __attribute__((vector_size(32)));
typedef float float16 __attribute__((vector_size(64)));
typedef int16_t short8 __attribute__((vector_size(16)));
typedef int16_t short16 __attribute__((vector_size(32)));
typedef int16_t short32 __attribute__((vector_size(64)));
typedef int32_t sum4 __attribute__((vector_size(16)));
typedef int32_t sum8 __attribute__((vector_size(32)));
typedef int32_t sum16 __attribute__((vector_size(64)));
typedef int32_t sum32 __attribute__((vector_size(128)));
typedef uint8_t byte8 __attribute__((vector_size(8)));
typedef uint8_t byte16 __attribute__((vector_size(16)));
typedef uint8_t byte32 __attribute__((vector_size(32)));
typedef uint16_t word16 __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

/// Returns a pair that holds the sample as its first element, or adds it as the second.
INLINE uint16_t paired(uint16_t first, uint8_t sample, int second) {
    return second ? (uint16_t)(first | sample << 8) : sample;
}

INLINE void pair_grey(uint16_t *restrict pairs, const uint8_t *restrict row, size_t count, int second) {
    for (size_t i = 0; i < count; i++) pairs[i] = paired(pairs[i], row[i], second);
}

INLINE void pair_colors(uint16_t *restrict a, uint16_t *restrict b, uint16_t *restrict c, const uint8_t *restrict row,
                        size_t count, int second) {
    for (size_t i = 0; i < count; i++) {
        a[i] = paired(a[i], row[3 * i], second);
        b[i] = paired(b[i], row[3 * i + 1], second);
        c[i] = paired(c[i], row[3 * i + 2], second);
    }
}

INLINE void pair_row(uint16_t *pairs, const uint8_t *row, size_t count, int channels, int second) {
    // Use one loop per case, so that no loop branches for each sample.
    if (channels == 3 && second) {
        pair_colors(pairs, pairs + count, pairs + 2 * count, row, count, 1);
    } else if (channels == 3) {
        pair_colors(pairs, pairs + count, pairs + 2 * count, row, count, 0);
    } else if (second) {
        pair_grey(pairs, row, count, 1);
    } else {
        pair_grey(pairs, row, count, 0);
    }
}

// Multiplying 16-bit values and adding adjacent products is one instruction on most machines.

INLINE sum16 multiply32(short32 a, short32 b) {
    sum32 products = __builtin_convertvector(a, sum32) * __builtin_convertvector(b, sum32);
    return __builtin_shufflevector(products, products, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) +
           __builtin_shufflevector(products, products, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

INLINE sum8 multiply16(short16 a, short16 b) {
    sum16 products = __builtin_convertvector(a, sum16) * __builtin_convertvector(b, sum16);
    return __builtin_shufflevector(products, products, 0, 2, 4, 6, 8, 10, 12, 14) +
           __builtin_shufflevector(products, products, 1, 3, 5, 7, 9, 11, 13, 15);
}

INLINE short8 load_shorts(const int16_t *from) {
    short8 value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE short16 load_16_shorts(const int16_t *from) {
    short16 value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE sum4 multiply8(short8 a, short8 b) {
    sum8 products = __builtin_convertvector(a, sum8) * __builtin_convertvector(b, sum8);
    return __builtin_shufflevector(products, products, 0, 2, 4, 6) +
           __builtin_shufflevector(products, products, 1, 3, 5, 7);
}

INLINE sum16 multiply_pairs(const uint16_t *pairs, short32 weights) {
    byte32 samples;
    memcpy(&samples, pairs, sizeof samples);
    return multiply32(__builtin_convertvector(samples, short32), weights);
}

INLINE void store_rounded(sum16 sums, int16_t *out) {
    short16 rounded = __builtin_convertvector((sums + 128) >> 8, short16);
    memcpy(out, &rounded, sizeof rounded);
}

INLINE void vertical_int(csluice_ring ring, size_t first, const int16_t *weights, size_t taps, int16_t *out,
                         size_t count) {
    const uint16_t *rows = ring.rows;
    for (size_t i = 0; i < count; i += 32) {
        sum16 low = {0}, high = {0};
        size_t slot = first % ring.capacity;
        for (size_t k = 0; k < taps; k++) {
            const uint16_t *row = rows + slot * ring.stride + i;
            int16_t a = weights[2 * k], b = weights[2 * k + 1];
            short32 pair = {a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b,
                            a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b};
            low += multiply_pairs(row, pair);
            high += multiply_pairs(row + 16, pair);
            if (++slot == ring.capacity) slot = 0;
        }
        store_rounded(low, out + i);
        store_rounded(high, out + i + 16);
    }
}

INLINE sum8 weigh_one(const int16_t *row, const int16_t *weights, size_t taps) {
    sum8 sums = {0};
    size_t k = 0;
    for (; k + 16 <= taps; k += 16) sums += multiply16(load_16_shorts(row + k), load_16_shorts(weights + k));
    if (k == taps) return sums;
    sum4 rest = multiply8(load_shorts(row + k), load_shorts(weights + k));
    return sums + __builtin_shufflevector(rest, (sum4){0}, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Adds adjacent elements in each half of two vectors.
INLINE sum8 add_neighbours(sum8 a, sum8 b) {
    return __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14) +
           __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}

/// Returns the sums of four targets, each still in two halves.
INLINE sum8 weigh_four(const int16_t *row, const int32_t *firsts, const int16_t *weights, size_t taps) {
    sum8 a = weigh_one(row + firsts[0], weights, taps);
    sum8 b = weigh_one(row + firsts[1], weights + taps, taps);
    sum8 c = weigh_one(row + firsts[2], weights + 2 * taps, taps);
    sum8 d = weigh_one(row + firsts[3], weights + 3 * taps, taps);
    return add_neighbours(add_neighbours(a, b), add_neighbours(c, d));
}

/// Returns the two halves of the sums of two targets with 8 weights each.
INLINE sum8 weigh_two(const int16_t *row, const int32_t *firsts, const int16_t *weights) {
    short8 a = load_shorts(row + firsts[0]), b = load_shorts(row + firsts[1]);
    short16 samples = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return multiply16(samples, load_16_shorts(weights));
}

INLINE sum8 weigh_eight(const int16_t *row, const int32_t *firsts, const int16_t *weights, size_t taps) {
    if (taps == 8) {
        sum8 a = add_neighbours(weigh_two(row, firsts, weights), weigh_two(row, firsts + 2, weights + 16));
        sum8 b = add_neighbours(weigh_two(row, firsts + 4, weights + 32), weigh_two(row, firsts + 6, weights + 48));
        sum8 sums = add_neighbours(a, b);
        return __builtin_shufflevector(sums, sums, 0, 4, 1, 5, 2, 6, 3, 7);
    }
    sum8 a = weigh_four(row, firsts, weights, taps);
    sum8 b = weigh_four(row, firsts + 4, weights + 4 * taps, taps);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

INLINE void horizontal_int_all(const int16_t *row, const int32_t *firsts, const int16_t *weights, size_t taps,
                               uint8_t *out, size_t count) {
    for (size_t x = 0; x < count; x += 8, firsts += 8, weights += 8 * taps) {
        sum8 sums = (weigh_eight(row, firsts, weights, taps) + (1 << 19)) >> 20;
        sums = __builtin_elementwise_max(sums, (sum8){0});
        sums = __builtin_elementwise_min(sums, (sum8){0} + 255);
        byte8 bytes = __builtin_convertvector(sums, byte8);
        memcpy(out + x, &bytes, sizeof bytes);
    }
}

INLINE void horizontal_int(const int16_t *row, const int32_t *firsts, const int16_t *weights, size_t taps,
                           uint8_t *out, size_t count) {
        // A nearly full-size image takes 8 weights, and one that a decoder left at twice the size takes 16. A constant
        // count removes the inner loop, which halves the time.
    switch (taps) {
    case 8:
        horizontal_int_all(row, firsts, weights, 8, out, count);
        break;
    case 16:
        horizontal_int_all(row, firsts, weights, 16, out, count);
        break;
    default:
        horizontal_int_all(row, firsts, weights, taps, out, count);
    }
}

INLINE void vertical_float(csluice_ring ring, size_t first, const float *weights, size_t taps, float *out,
                           size_t count) {
    const uint16_t *rows = ring.rows;
    for (size_t i = 0; i < count; i += 16) {
        float16 sums = {0};
        size_t slot = first % ring.capacity;
        for (size_t k = 0; k < taps; k++) {
            word16 samples;
            memcpy(&samples, rows + slot * ring.stride + i, sizeof samples);
            sums += weights[k] * __builtin_convertvector(samples, float16);
            if (++slot == ring.capacity) slot = 0;
        }
        memcpy(out + i, &sums, sizeof sums);
    }
}

INLINE float4 load4(const float *from) {
    float4 value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE float8 load8(const float *from) {
    float8 value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE float4 low(float8 value) { return __builtin_shufflevector(value, value, 0, 1, 2, 3); }
INLINE float4 high(float8 value) { return __builtin_shufflevector(value, value, 4, 5, 6, 7); }

INLINE void sum_grey(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
                     size_t count) {
    for (size_t x = 0; x < count; x++, weights += taps) {
        const float *samples = row + firsts[x];
        float8 sums = {0};
        size_t k = 0;
        for (; k + 8 <= taps; k += 8) sums += load8(samples + k) * load8(weights + k);
        float4 sum = low(sums) + high(sums);
        if (k < taps) sum += load4(samples + k) * load4(weights + k);
        out[x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/// Eight pixels fill three vectors with a repeating pattern of channels; a remainder of four pixels may follow.
INLINE void sum_rgb(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
                    size_t count) {
    size_t end = taps * 3;
    for (size_t x = 0; x < count; x++, weights += end) {
        const float *samples = row + (size_t)firsts[x] * 3;
        float8 a = {0}, b = {0}, c = {0};
        size_t k = 0;
        for (; k + 24 <= end; k += 24) {
            a += load8(samples + k) * load8(weights + k);
            b += load8(samples + k + 8) * load8(weights + k + 8);
            c += load8(samples + k + 16) * load8(weights + k + 16);
        }
        // RGBR GBRG BRGB
        float4 d = low(a) + high(b), e = high(a) + low(c), f = low(b) + high(c);
        if (k < end) {
            d += load4(samples + k) * load4(weights + k);
            e += load4(samples + k + 4) * load4(weights + k + 4);
            f += load4(samples + k + 8) * load4(weights + k + 8);
        }
        d += __builtin_shufflevector(d, e, 3, 4, 5, 5);
        f = __builtin_shufflevector(e, f, 2, 3, 4, 4) + __builtin_shufflevector(f, f, 1, 2, 3, 3);
        d += f;
        // The fourth lane overlaps the next pixel, which is written later.
        memcpy(out + x * 3, &d, sizeof d);
    }
}

INLINE void sum_rgba(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
                     size_t count) {
    size_t end = taps * 4;
    for (size_t x = 0; x < count; x++, weights += end) {
        const float *samples = row + (size_t)firsts[x] * 4;
        float8 a = {0}, b = {0};
        for (size_t k = 0; k < end; k += 16) {
            a += load8(samples + k) * load8(weights + k);
            b += load8(samples + k + 8) * load8(weights + k + 8);
        }
        float4 sum = (low(a) + high(a)) + (low(b) + high(b));
        memcpy(out + x * 4, &sum, sizeof sum);
    }
}

INLINE void horizontal_float(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
                             size_t count, int channels) {
    switch (channels) {
    case 1:
        sum_grey(row, firsts, weights, taps, out, count);
        break;
    case 3:
        sum_rgb(row, firsts, weights, taps, out, count);
        break;
    default:
        sum_rgba(row, firsts, weights, taps, out, count);
    }
}

INLINE byte16 round16(float16 values) {
    values = values + 0.5f;
    values = __builtin_elementwise_max(values, (float16){0});
    values = __builtin_elementwise_min(values, (float16){0} + 255);
    return __builtin_convertvector(__builtin_convertvector(values, sum16), byte16);
}

INLINE float16 load16(const float *from) {
    float16 value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE void round_to_bytes(const float *row, float scale, uint8_t *out, size_t count) {
    for (size_t i = 0; i < count; i += 16) {
        byte16 bytes = round16(load16(row + i) * scale);
        memcpy(out + i, &bytes, sizeof bytes);
    }
}

INLINE byte16 load_bytes(const uint8_t *from) {
    byte16 value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE void interleave_rgb(const uint8_t *rows, size_t stride, uint8_t *out, size_t count) {
    for (size_t i = 0; i < count; i += 16, out += 48) {
        byte16 r = load_bytes(rows + i), g = load_bytes(rows + stride + i), b = load_bytes(rows + 2 * stride + i);
        byte32 rg = __builtin_shufflevector(r, g, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24, 9, 25,
                                            10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        byte32 bb = __builtin_shufflevector(b, b, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10,
                                            11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
        byte32 first = __builtin_shufflevector(rg, bb, 0, 1, 32, 2, 3, 34, 4, 5, 36, 6, 7, 38, 8, 9, 40, 10, 11, 42, 12,
                                               13, 44, 14, 15, 46, 16, 17, 48, 18, 19, 50, 20, 21);
        byte16 rest = __builtin_shufflevector(rg, bb, 52, 22, 23, 54, 24, 25, 56, 26, 27, 58, 28, 29, 60, 30, 31, 62);
        memcpy(out, &first, sizeof first);
        memcpy(out + 32, &rest, sizeof rest);
    }
}

INLINE uint8_t rounded(float value) {
    value += 0.5f;
    if (!(value > 0)) return 0;
    return value >= 255 ? 255 : (uint8_t)value;
}

void csluice_unpremultiply_to_bytes(const float *row, float peak, uint8_t *out, size_t pixels) {
    for (size_t i = 0; i < pixels; i++, row += 4, out += 4) {
        uint8_t alpha = rounded(row[3] * (255 / peak));
        float scale = alpha ? 255 / row[3] : 0;
        for (int channel = 0; channel < 3; channel++) out[channel] = rounded(row[channel] * scale);
        out[3] = alpha;
    }
}

// Compiles each function twice, with and without AVX2, and chooses at run time.
#if defined(__x86_64__)
#define DISPATCH(name, parameters, arguments)                                                   \
    __attribute__((target("avx2"))) static void name##_avx2 parameters { name arguments; }      \
    void csluice_##name parameters {                                                            \
        if (__builtin_cpu_supports("avx2")) {                                                   \
            name##_avx2 arguments;                                                              \
        } else {                                                                                \
            name arguments;                                                                     \
        }                                                                                       \
    }
#else
#define DISPATCH(name, parameters, arguments) \
    void csluice_##name parameters { name arguments; }
#endif

DISPATCH(pair_row, (uint16_t *pairs, const uint8_t *row, size_t count, int channels, int second),
         (pairs, row, count, channels, second))
DISPATCH(vertical_int,
         (csluice_ring ring, size_t first, const int16_t *weights, size_t taps, int16_t *out, size_t count),
         (ring, first, weights, taps, out, count))
DISPATCH(horizontal_int,
         (const int16_t *row, const int32_t *firsts, const int16_t *weights, size_t taps, uint8_t *out, size_t count),
         (row, firsts, weights, taps, out, count))
DISPATCH(interleave_rgb, (const uint8_t *rows, size_t stride, uint8_t *out, size_t count), (rows, stride, out, count))
DISPATCH(vertical_float, (csluice_ring ring, size_t first, const float *weights, size_t taps, float *out, size_t count),
         (ring, first, weights, taps, out, count))
DISPATCH(horizontal_float,
         (const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out, size_t count,
          int channels),
         (row, firsts, weights, taps, out, count, channels))
DISPATCH(round_to_bytes, (const float *row, float scale, uint8_t *out, size_t count), (row, scale, out, count))
