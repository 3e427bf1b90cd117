// SPDX-License-Identifier: MIT
#include "csluice_resample.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

typedef float float4 __attribute__((vector_size(16)));
typedef float float16 __attribute__((vector_size(64)));
typedef uint8_t byte16 __attribute__((vector_size(16)));
typedef uint16_t word16 __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

// One body for each kind of sample; the compiler makes of it what the instruction set at hand can do.
#define MIX_ROWS_BODY(name, sample, sample16)                                                                   \
    INLINE void name(csluice_ring ring, size_t first, const float *weights, size_t taps, float *out,            \
                     size_t count) {                                                                            \
        const sample *rows = ring.rows;                                                                         \
        for (size_t i = 0; i < count; i += 32) {                                                                \
            float16 low = {0}, high = {0};                                                                      \
            size_t slot = first % ring.capacity;                                                                \
            for (size_t k = 0; k < taps; k++) {                                                                 \
                const sample *row = rows + slot * ring.stride + i;                                              \
                sample16 a, b;                                                                                  \
                memcpy(&a, row, sizeof a);                                                                      \
                memcpy(&b, row + 16, sizeof b);                                                                 \
                low += weights[k] * __builtin_convertvector(a, float16);                                        \
                high += weights[k] * __builtin_convertvector(b, float16);                                       \
                if (++slot == ring.capacity) slot = 0;                                                          \
            }                                                                                                   \
            memcpy(out + i, &low, sizeof low);                                                                  \
            memcpy(out + i + 16, &high, sizeof high);                                                           \
        }                                                                                                       \
    }

MIX_ROWS_BODY(mix_rows8, uint8_t, byte16)
MIX_ROWS_BODY(mix_rows16, uint16_t, word16)

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))
#define HAS_AVX2 __builtin_cpu_supports("avx2")

WITH_AVX2 static void mix_rows8_avx2(csluice_ring ring, size_t first, const float *weights, size_t taps, float *out,
                                     size_t count) {
    mix_rows8(ring, first, weights, taps, out, count);
}

WITH_AVX2 static void mix_rows16_avx2(csluice_ring ring, size_t first, const float *weights, size_t taps, float *out,
                                      size_t count) {
    mix_rows16(ring, first, weights, taps, out, count);
}
#else
#define HAS_AVX2 0
#define mix_rows8_avx2 mix_rows8
#define mix_rows16_avx2 mix_rows16
#endif

void csluice_mix_rows8(csluice_ring ring, size_t first, const float *weights, size_t taps, float *out,
                       size_t count) {
    if (HAS_AVX2) {
        mix_rows8_avx2(ring, first, weights, taps, out, count);
    } else {
        mix_rows8(ring, first, weights, taps, out, count);
    }
}

void csluice_mix_rows16(csluice_ring ring, size_t first, const float *weights, size_t taps, float *out,
                        size_t count) {
    if (HAS_AVX2) {
        mix_rows16_avx2(ring, first, weights, taps, out, count);
    } else {
        mix_rows16(ring, first, weights, taps, out, count);
    }
}

/// Colour pixels: one vector is one pixel; of three channels the fourth lane is the next pixel's, and is written over.
INLINE void mix_colour(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
                       size_t count, size_t channels) {
    for (size_t x = 0; x < count; x++, weights += taps) {
        const float *pixel = row + (size_t)firsts[x] * channels;
        float4 even = {0}, odd = {0};
        for (size_t k = 0; k < taps; k += 2, pixel += 2 * channels) {
            float4 a, b;
            memcpy(&a, pixel, sizeof a);
            memcpy(&b, pixel + channels, sizeof b);
            even += weights[k] * a;
            odd += weights[k + 1] * b;
        }
        even += odd;
        memcpy(out + x * channels, &even, sizeof even);
    }
}

/// Grey pixels: one vector is four neighbours.
static void mix_grey(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
                     size_t count) {
    for (size_t x = 0; x < count; x++, weights += taps) {
        const float *pixel = row + firsts[x];
        float4 sum = {0};
        for (size_t k = 0; k < taps; k += 4) {
            float4 a, w;
            memcpy(&a, pixel + k, sizeof a);
            memcpy(&w, weights + k, sizeof w);
            sum += w * a;
        }
        out[x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

void csluice_mix_pixels(const float *row, const int32_t *firsts, const float *weights, size_t taps, float *out,
                        size_t count, int channels) {
    switch (channels) {
    case 1:
        mix_grey(row, firsts, weights, taps, out, count);
        break;
    case 3:
        mix_colour(row, firsts, weights, taps, out, count, 3);
        break;
    default:
        mix_colour(row, firsts, weights, taps, out, count, 4);
    }
}

INLINE uint8_t rounded(float value) {
    value += 0.5f;
    if (!(value > 0)) return 0;
    return value >= 255 ? 255 : (uint8_t)value;
}

void csluice_round(const float *row, float scale, uint8_t *out, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = rounded(row[i] * scale);
}

void csluice_round_unmultiplied(const float *row, float peak, uint8_t *out, size_t pixels) {
    for (size_t i = 0; i < pixels; i++, row += 4, out += 4) {
        uint8_t alpha = rounded(row[3] * (255 / peak));
        float scale = alpha ? 255 / row[3] : 0;
        for (int channel = 0; channel < 3; channel++) out[channel] = rounded(row[channel] * scale);
        out[3] = alpha;
    }
}
