// SPDX-License-Identifier: MIT
#include "rows.h"

#include <string.h>

#include "../dispatch.h"
#include "rows_avx2.h"

// Functions take vectors wider than the machine's registers, but only functions that are always inlined.
#pragma clang diagnostic ignored "-Wpsabi"

typedef int16_t short16 __attribute__((vector_size(32)));
typedef int32_t sum16 __attribute__((vector_size(64)));
typedef uint8_t byte16 __attribute__((vector_size(16)));
typedef uint8_t byte32 __attribute__((vector_size(32)));

enum { vector = 16 };

INLINE void jpg_double_row(const uint8_t *restrict row, uint8_t *restrict out, size_t count) {
    out[0] = row[0];
    for (size_t i = 1; i < count; i++) {
        out[2 * i - 1] = (uint8_t)((row[i - 1] * 3 + row[i] + 2) >> 2);
        out[2 * i] = (uint8_t)((row[i] * 3 + row[i - 1] + 1) >> 2);
    }
    out[2 * count - 1] = row[count - 1];
}

INLINE void jpg_double_rows(const uint8_t *restrict near, const uint8_t *restrict far, uint8_t *restrict out,
                             size_t count) {
    out[0] = (uint8_t)(((near[0] * 3 + far[0]) * 4 + 8) >> 4);
    for (size_t i = 1; i < count; i++) {
        int last = near[i - 1] * 3 + far[i - 1], next = near[i] * 3 + far[i];
        out[2 * i - 1] = (uint8_t)((last * 3 + next + 7) >> 4);
        out[2 * i] = (uint8_t)((next * 3 + last + 8) >> 4);
    }
    out[2 * count - 1] = (uint8_t)(((near[count - 1] * 3 + far[count - 1]) * 4 + 7) >> 4);
}

INLINE void jpg_repeat_samples(const uint8_t *restrict row, uint8_t *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) out[2 * i] = out[2 * i + 1] = row[i];
}

INLINE short16 load(const uint8_t *from) {
    byte16 bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, short16);
}

INLINE sum16 widened(short16 values) { return __builtin_convertvector(values, sum16); }

INLINE byte16 clamped(short16 values) {
    values = __builtin_elementwise_max(values, (short16){0});
    values = __builtin_elementwise_min(values, (short16){0} + 255);
    return __builtin_convertvector(values, byte16);
}

/// `color` times a factor of which 1/65536 is the unit, rounded; the factor is below 1/2.
INLINE short16 scaled(short16 color, int factor) {
    return __builtin_convertvector((widened(color) * factor + 32768) >> 16, short16);
}

INLINE void store_rgb(byte16 r, byte16 g, byte16 b, uint8_t *out) {
    byte32 rg = __builtin_shufflevector(r, g, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24, 9, 25, 10,
                                        26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    byte32 bb = __builtin_shufflevector(b, b, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11,
                                        11, 12, 12, 13, 13, 14, 14, 15, 15);
    byte32 first = __builtin_shufflevector(rg, bb, 0, 1, 32, 2, 3, 34, 4, 5, 36, 6, 7, 38, 8, 9, 40, 10, 11, 42, 12, 13,
                                           44, 14, 15, 46, 16, 17, 48, 18, 19, 50, 20, 21);
    byte16 rest = __builtin_shufflevector(rg, bb, 52, 22, 23, 54, 24, 25, 56, 26, 27, 58, 28, 29, 60, 30, 31, 62);
    memcpy(out, &first, sizeof first);
    memcpy(out + sizeof first, &rest, sizeof rest);
}

/// Converts 16 pixels with libjpeg's factors: 1.402, 0.34414, 0.71414 and 1.772.
INLINE void convert(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *out) {
    short16 light = load(y), blue = load(cb) - 128, red = load(cr) - 128;
    sum16 green = (widened(blue) * -22554 + widened(red) * 18734 + 32768) >> 16;
    byte16 r = clamped(light + red + scaled(red, 26345));
    byte16 g = clamped(light - red + __builtin_convertvector(green, short16));
    byte16 b = clamped(light + blue + blue + scaled(blue, -14942));
    store_rgb(r, g, b, out);
}

INLINE void jpg_convert_row(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *out, size_t count) {
    size_t i = 0;
    for (; i + vector <= count; i += vector) convert(y + i, cb + i, cr + i, out + 3 * i);
    if (i == count) return;
    uint8_t rest[3 * vector];
    convert(y + i, cb + i, cr + i, rest);
    memcpy(out + 3 * i, rest, 3 * (count - i));
}

DISPATCH(void, jpg_double_row, (const uint8_t *row, uint8_t *out, size_t count), (row, out, count))
DISPATCH(void, jpg_double_rows, (const uint8_t *near, const uint8_t *far, uint8_t *out, size_t count),
         (near, far, out, count))
DISPATCH(void, jpg_repeat_samples, (const uint8_t *row, uint8_t *out, size_t count), (row, out, count))

void csluice_jpg_convert_row(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *out, size_t count) {
    size_t done = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) done = jpg_convert_pixels_avx2(y, cb, cr, out, count);
#endif
    jpg_convert_row(y + done, cb + done, cr + done, out + 3 * done, count - done);
}
