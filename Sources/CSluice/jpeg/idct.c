// SPDX-License-Identifier: MIT
#include "idct.h"

#include "idct_avx2.h"
#include "idct_parts.h"

// Functions take vectors wider than the machine's registers, but only functions that are always inlined.
#pragma clang diagnostic ignored "-Wpsabi"

/// One value of each of eight blocks.
typedef int32_t lanes __attribute__((vector_size(32)));
typedef int16_t short8 __attribute__((vector_size(16)));
typedef uint8_t byte8 __attribute__((vector_size(8)));
typedef uint8_t byte16 __attribute__((vector_size(16)));
typedef uint8_t byte32 __attribute__((vector_size(32)));
typedef uint8_t byte64 __attribute__((vector_size(64)));

enum { half = 8 };

/// Collects the bits of values, inverted or negated if they are negative, to detect those above a limit.
typedef struct {
    lanes coefficients, columns, samples;
} magnitudes;

INLINE bool is_within(lanes bits, int limit) {
    lanes above = bits & -limit;
    int any = 0;
    for (int i = 0; i < half; i++) any |= above[i];
    return any == 0;
}

INLINE lanes load(const int16_t *batch, const uint16_t *quantization, int row, int column, magnitudes *seen) {
    int k = zigzag[row * 8 + column];
    short8 values;
    memcpy(&values, batch + k * jpg_lanes, sizeof values);
    lanes product = __builtin_convertvector(values, lanes) * (int32_t)quantization[k];
    seen->coefficients |= product ^ product >> 31;
    return product;
}

INLINE lanes descale(lanes value, int bits) { return (value + (1 << bits >> 1)) >> bits; }

/// Eight inputs give eight outputs, as in libjpeg's jidctint.c.
INLINE void transform8(const lanes *in, lanes *out, int shift) {
    lanes shared = (in[2] + in[6]) * 4433;
    lanes even2 = shared - in[6] * 15137, even3 = shared + in[2] * 6270;
    lanes even0 = (in[0] + in[4]) << 13, even1 = (in[0] - in[4]) << 13;
    lanes a = even0 + even3, b = even1 + even2, c = even1 - even2, d = even0 - even3;

    lanes z1 = (in[7] + in[1]) * -7373, z2 = (in[5] + in[3]) * -20995;
    lanes z3 = in[7] + in[3], z4 = in[5] + in[1];
    lanes z5 = (z3 + z4) * 9633;
    z3 = z3 * -16069 + z5;
    z4 = z4 * -3196 + z5;
    lanes odd0 = in[7] * 2446 + z1 + z3, odd1 = in[5] * 16819 + z2 + z4;
    lanes odd2 = in[3] * 25172 + z2 + z3, odd3 = in[1] * 12299 + z1 + z4;

    out[0] = descale(a + odd3, shift);
    out[1] = descale(b + odd2, shift);
    out[2] = descale(c + odd1, shift);
    out[3] = descale(d + odd0, shift);
    out[4] = descale(d - odd0, shift);
    out[5] = descale(c - odd1, shift);
    out[6] = descale(b - odd2, shift);
    out[7] = descale(a - odd3, shift);
}

/// Eight inputs, of which the fifth is not used, give four outputs, as in libjpeg's jidctred.c.
INLINE void transform4(const lanes *in, lanes *out, int shift) {
    lanes even0 = in[0] << 14, even2 = in[2] * 15137 - in[6] * 6270;
    lanes odd0 = in[5] * 11893 - in[7] * 1730 - in[3] * 17799 + in[1] * 8697;
    lanes odd2 = in[3] * 7373 - in[7] * 4176 - in[5] * 4926 + in[1] * 20995;
    out[0] = descale(even0 + even2 + odd2, shift + 1);
    out[1] = descale(even0 - even2 + odd0, shift + 1);
    out[2] = descale(even0 - even2 - odd0, shift + 1);
    out[3] = descale(even0 + even2 - odd2, shift + 1);
}

/// Five of eight inputs give two outputs, as in libjpeg's jidctred.c.
INLINE void transform2(const lanes *in, lanes *out, int shift) {
    lanes even = in[0] << 15, odd = in[5] * 6967 - in[7] * 5906 - in[3] * 10426 + in[1] * 29692;
    out[0] = descale(even + odd, shift + 2);
    out[1] = descale(even - odd, shift + 2);
}

INLINE void transform(const lanes *in, lanes *out, int size, int shift) {
    if (size == 8) transform8(in, out, shift);
    if (size == 4) transform4(in, out, shift);
    if (size == 2) transform2(in, out, shift);
}

INLINE byte8 sample(lanes value, magnitudes *seen) {
    seen->samples |= __builtin_elementwise_abs(value);
    value = __builtin_elementwise_max(value + 128, (lanes){0});
    value = __builtin_elementwise_min(value, (lanes){0} + 255);
    return __builtin_convertvector(value, byte8);
}

INLINE byte16 zip8(byte8 a, byte8 b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
}

INLINE byte32 zip16(byte16 a, byte16 b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24, 9, 25, 10, 26,
                                   11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

INLINE byte64 zip32(byte32 a, byte32 b) {
    return __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 8, 40, 9, 41, 10, 42,
                                   11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21,
                                   53, 22, 54, 23, 55, 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63);
}

/// Stores a row of pixels, whose columns are vectors, block after block.
INLINE void store_row(const lanes *row, int size, uint8_t *out, magnitudes *seen) {
    byte8 columns[8];
    for (int i = 0; i < size; i++) columns[i] = sample(row[i], seen);
    if (size == 8) {
        byte32 even = zip16(zip8(columns[0], columns[4]), zip8(columns[2], columns[6]));
        byte32 odd = zip16(zip8(columns[1], columns[5]), zip8(columns[3], columns[7]));
        byte64 all = zip32(even, odd);
        memcpy(out, &all, sizeof all);
    } else if (size == 4) {
        byte32 all = zip16(zip8(columns[0], columns[2]), zip8(columns[1], columns[3]));
        memcpy(out, &all, sizeof all);
    } else {
        byte16 all = zip8(columns[0], columns[1]);
        memcpy(out, &all, sizeof all);
    }
}

/// Transforms eight blocks; coefficients below the given diagonal are zero, and the compiler drops their terms.
INLINE void transform_half(const int16_t *batch, const uint16_t *quantization, int size, int diagonal, uint8_t *out,
                           size_t stride, magnitudes *seen) {
    lanes columns[8][8];
#pragma clang loop unroll(full)
    for (int column = 0; column < 8; column++) {
        lanes in[8];
#pragma clang loop unroll(full)
        for (int row = 0; row < 8; row++) {
            bool is_zero = row + column > diagonal || !is_used(row, size) || !is_used(column, size);
            in[row] = is_zero ? (lanes){0} : load(batch, quantization, row, column, seen);
        }
        transform(in, columns[column], size, 11);
        if (column > diagonal) continue;
#pragma clang loop unroll(full)
        for (int row = 0; row < size; row++) seen->columns |= __builtin_elementwise_abs(columns[column][row]);
    }
#pragma clang loop unroll(full)
    for (int row = 0; row < size; row++) {
        lanes in[8], pixels[8];
#pragma clang loop unroll(full)
        for (int column = 0; column < 8; column++) in[column] = columns[column][row];
        transform(in, pixels, size, 18);
        store_row(pixels, size, out + (size_t)row * stride, seen);
    }
}

/// Reduces each block to its mean.
INLINE void take_means(const int16_t *batch, const uint16_t *quantization, uint8_t *out, magnitudes *seen) {
    byte8 means = sample(descale(load(batch, quantization, 0, 0, seen), 3), seen);
    memcpy(out, &means, sizeof means);
}

INLINE bool transform_batch(const int16_t *batch, const uint16_t *quantization, int size, int diagonal, uint8_t *out,
                            size_t stride) {
    magnitudes seen = {{0}, {0}, {0}};
    for (int first = 0; first < jpg_lanes; first += half) {
        uint8_t *start = out + first * size;
        if (size == 1) {
            take_means(batch + first, quantization, start, &seen);
        } else {
            transform_half(batch + first, quantization, size, diagonal, start, stride, &seen);
        }
    }
    return is_within(seen.coefficients, coefficient_limit) && is_within(seen.columns, column_limit) &&
           is_within(seen.samples, sample_limit);
}

/// Chooses the code for the last diagonal in use: the first 1, 3, 10 and 21 coefficients fill diagonals 0, 1, 3 and 5.
INLINE bool transform_used(const int16_t *batch, const uint16_t *quantization, int used, int size, uint8_t *out,
                           size_t stride) {
    if (used <= 1) return transform_batch(batch, quantization, size, 0, out, stride);
    if (used <= 3) return transform_batch(batch, quantization, size, 1, out, stride);
    if (used <= 10) return transform_batch(batch, quantization, size, 3, out, stride);
    if (used <= 21) return transform_batch(batch, quantization, size, 5, out, stride);
    return transform_batch(batch, quantization, size, 14, out, stride);
}

INLINE bool jpg_transform(const int16_t *batch, const uint16_t *quantization, int used, int size, uint8_t *out,
                           size_t stride) {
    return size == 8   ? transform_used(batch, quantization, used, 8, out, stride)
           : size == 4 ? transform_used(batch, quantization, used, 4, out, stride)
           : size == 2 ? transform_used(batch, quantization, used, 2, out, stride)
                       : transform_batch(batch, quantization, 1, 0, out, stride);
}

bool csluice_jpg_transform(const int16_t *batch, const uint16_t *quantization, int used, int size, uint8_t *out,
                            size_t stride) {
#if defined(__x86_64__)
    if (size > 1 && __builtin_cpu_supports("avx2")) {
        return jpg_transform_avx2(batch, quantization, used, size, out, stride);
    }
#endif
    return jpg_transform(batch, quantization, used, size, out, stride);
}
