// SPDX-License-Identifier: MIT
#include "csluice_resample.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF
// Vectors wider than the machine's go into functions, but only into such as are always inlined.
#pragma clang diagnostic ignored "-Wpsabi"

typedef float float4 __attribute__((vector_size(16)));
typedef float float8 __attribute__((vector_size(32)));
typedef float float16 __attribute__((vector_size(64)));
typedef int16_t short32 __attribute__((vector_size(64)));
typedef int32_t sum16 __attribute__((vector_size(64)));
typedef int32_t sum32 __attribute__((vector_size(128)));
typedef uint8_t byte16 __attribute__((vector_size(16)));
typedef uint16_t word16 __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

INLINE void pair_row(uint32_t *restrict pairs, const uint8_t *restrict row, size_t count, int second) {
    if (second) {
        for (size_t i = 0; i < count; i++) pairs[i] |= (uint32_t)row[i] << 16;
    } else {
        for (size_t i = 0; i < count; i++) pairs[i] = row[i];
    }
}

/// Multiplies 16-bit neighbours by a pair of weights and adds each two: one instruction on most machines.
INLINE sum16 multiply_pairs(const uint32_t *pairs, int16_t first, int16_t second) {
    short32 samples;
    memcpy(&samples, pairs, sizeof samples);
    short32 weights = {first, second, first, second, first, second, first, second, first, second, first,
                       second, first, second, first, second, first, second, first, second, first, second,
                       first, second, first, second, first, second, first, second, first, second};
    sum32 products = __builtin_convertvector(samples, sum32) * __builtin_convertvector(weights, sum32);
    return __builtin_shufflevector(products, products, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) +
           __builtin_shufflevector(products, products, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

INLINE void mix_pairs(csluice_ring ring, size_t first, const int16_t *weights, size_t taps, float *out,
                      size_t count) {
    const uint32_t *rows = ring.rows;
    for (size_t i = 0; i < count; i += 32) {
        sum16 low = {0}, high = {0};
        size_t slot = first % ring.capacity;
        for (size_t k = 0; k < taps; k++) {
            const uint32_t *row = rows + slot * ring.stride + i;
            low += multiply_pairs(row, weights[2 * k], weights[2 * k + 1]);
            high += multiply_pairs(row + 16, weights[2 * k], weights[2 * k + 1]);
            if (++slot == ring.capacity) slot = 0;
        }
        float16 sums = __builtin_convertvector(low, float16);
        memcpy(out + i, &sums, sizeof sums);
        sums = __builtin_convertvector(high, float16);
        memcpy(out + i + 16, &sums, sizeof sums);
    }
}

INLINE void mix_words(csluice_ring ring, size_t first, const float *weights, size_t taps, float *out,
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

INLINE void mix_grey(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
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

/// Eight pixels are three vectors whose lanes' colours come round again; what is left at the end are four pixels.
INLINE void mix_rgb(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
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
        // The fourth lane falls on the next pixel, which is written after this one.
        memcpy(out + x * 3, &d, sizeof d);
    }
}

INLINE void mix_rgba(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
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

INLINE void mix_pixels(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
                       size_t count, int channels) {
    switch (channels) {
    case 1:
        mix_grey(row, firsts, weights, taps, out, count);
        break;
    case 3:
        mix_rgb(row, firsts, weights, taps, out, count);
        break;
    default:
        mix_rgba(row, firsts, weights, taps, out, count);
    }
}

INLINE void round_all(const float *row, float scale, uint8_t *out, size_t count) {
    for (size_t i = 0; i < count; i += 16) {
        float16 values;
        memcpy(&values, row + i, sizeof values);
        values = values * scale + 0.5f;
        values = __builtin_elementwise_max(values, (float16){0});
        values = __builtin_elementwise_min(values, (float16){0} + 255);
        byte16 bytes = __builtin_convertvector(__builtin_convertvector(values, sum16), byte16);
        memcpy(out + i, &bytes, sizeof bytes);
    }
}

INLINE uint8_t rounded(float value) {
    value += 0.5f;
    if (!(value > 0)) return 0;
    return value >= 255 ? 255 : (uint8_t)value;
}

void csluice_round_unmultiplied(const float *row, float peak, uint8_t *out, size_t pixels) {
    for (size_t i = 0; i < pixels; i++, row += 4, out += 4) {
        uint8_t alpha = rounded(row[3] * (255 / peak));
        float scale = alpha ? 255 / row[3] : 0;
        for (int channel = 0; channel < 3; channel++) out[channel] = rounded(row[channel] * scale);
        out[3] = alpha;
    }
}

// Each function twice: as it is, and with AVX2 where the machine has it.
#if defined(__x86_64__)
#define TWICE(name, parameters, arguments)                                                       \
    __attribute__((target("avx2"))) static void name##_avx2 parameters { name arguments; }       \
    void csluice_##name parameters {                                                             \
        if (__builtin_cpu_supports("avx2")) {                                                    \
            name##_avx2 arguments;                                                               \
        } else {                                                                                 \
            name arguments;                                                                      \
        }                                                                                        \
    }
#else
#define TWICE(name, parameters, arguments) \
    void csluice_##name parameters { name arguments; }
#endif

TWICE(pair_row, (uint32_t *pairs, const uint8_t *row, size_t count, int second), (pairs, row, count, second))
TWICE(mix_pairs, (csluice_ring ring, size_t first, const int16_t *weights, size_t taps, float *out, size_t count),
      (ring, first, weights, taps, out, count))
TWICE(mix_words, (csluice_ring ring, size_t first, const float *weights, size_t taps, float *out, size_t count),
      (ring, first, weights, taps, out, count))
TWICE(mix_pixels,
      (const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out, size_t count,
       int channels),
      (row, firsts, weights, taps, out, count, channels))
TWICE(round_all, (const float *row, float scale, uint8_t *out, size_t count), (row, scale, out, count))
