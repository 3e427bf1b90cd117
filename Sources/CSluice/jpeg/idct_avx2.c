// SPDX-License-Identifier: MIT
#include "idct_avx2.h"

#include "idct_parts.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define INLINE_AVX2 __attribute__((target("avx2"), always_inline)) static inline

/// 16-bit values, one of each of 16 blocks.
typedef __m256i words;

/// 32-bit sums: those of blocks 0 to 3 and 8 to 11, and those of blocks 4 to 7 and 12 to 15.
typedef struct {
    __m256i low, high;
} sums;

/// Collects bits: those of coefficients beyond the limit, and those of the other absolute values.
typedef struct {
    words coefficients, columns, samples;
} magnitudes;

/// Returns the sum of two products.
INLINE_AVX2 sums weigh(words a, int a_weight, words b, int b_weight) {
    __m256i weights = _mm256_set1_epi32((int)((uint32_t)b_weight << 16 | (uint16_t)a_weight));
    return (sums){
        .low = _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), weights),
        .high = _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), weights),
    };
}

INLINE_AVX2 sums add(sums a, sums b) {
    return (sums){.low = _mm256_add_epi32(a.low, b.low), .high = _mm256_add_epi32(a.high, b.high)};
}

INLINE_AVX2 sums subtract(sums a, sums b) {
    return (sums){.low = _mm256_sub_epi32(a.low, b.low), .high = _mm256_sub_epi32(a.high, b.high)};
}

/// Returns `value << bits`, plus what rounds a later shift to the right by `shift`.
INLINE_AVX2 sums widen(words value, int bits, int shift) {
    __m256i zero = _mm256_setzero_si256(), half = _mm256_set1_epi32(1 << shift >> 1);
    __m256i low = _mm256_unpacklo_epi16(zero, value), high = _mm256_unpackhi_epi16(zero, value);
    return (sums){
        .low = _mm256_add_epi32(_mm256_srai_epi32(low, 16 - bits), half),
        .high = _mm256_add_epi32(_mm256_srai_epi32(high, 16 - bits), half),
    };
}

/// Returns `sum >> shift`; a value that does not fit 16 bits becomes the nearest one.
INLINE_AVX2 words narrow(sums sum, int shift) {
    return _mm256_packs_epi32(_mm256_srai_epi32(sum.low, shift), _mm256_srai_epi32(sum.high, shift));
}

/// Eight inputs give eight outputs, with the sums of idct.c in other terms.
INLINE_AVX2 void transform8(const words *in, words *out, int shift) {
    sums even0 = widen(_mm256_add_epi16(in[0], in[4]), 13, shift);
    sums even1 = widen(_mm256_sub_epi16(in[0], in[4]), 13, shift);
    sums even2 = weigh(in[2], 4433, in[6], 4433 - 15137), even3 = weigh(in[2], 4433 + 6270, in[6], 4433);
    sums a = add(even0, even3), b = add(even1, even2), c = subtract(even1, even2), d = subtract(even0, even3);

    words z3 = _mm256_add_epi16(in[7], in[3]), z4 = _mm256_add_epi16(in[5], in[1]);
    sums z3_part = weigh(z3, 9633 - 16069, z4, 9633), z4_part = weigh(z3, 9633, z4, 9633 - 3196);
    sums odd0 = add(weigh(in[7], 2446 - 7373, in[1], -7373), z3_part);
    sums odd1 = add(weigh(in[5], 16819 - 20995, in[3], -20995), z4_part);
    sums odd2 = add(weigh(in[5], -20995, in[3], 25172 - 20995), z3_part);
    sums odd3 = add(weigh(in[7], -7373, in[1], 12299 - 7373), z4_part);

    out[0] = narrow(add(a, odd3), shift);
    out[1] = narrow(add(b, odd2), shift);
    out[2] = narrow(add(c, odd1), shift);
    out[3] = narrow(add(d, odd0), shift);
    out[4] = narrow(subtract(d, odd0), shift);
    out[5] = narrow(subtract(c, odd1), shift);
    out[6] = narrow(subtract(b, odd2), shift);
    out[7] = narrow(subtract(a, odd3), shift);
}

/// Eight inputs, of which the fifth is not used, give four outputs.
INLINE_AVX2 void transform4(const words *in, words *out, int shift) {
    sums even0 = widen(in[0], 14, shift + 1), even2 = weigh(in[2], 15137, in[6], -6270);
    sums odd0 = add(weigh(in[1], 8697, in[3], -17799), weigh(in[5], 11893, in[7], -1730));
    sums odd2 = add(weigh(in[1], 20995, in[3], 7373), weigh(in[5], -4926, in[7], -4176));
    sums a = add(even0, even2), b = subtract(even0, even2);
    out[0] = narrow(add(a, odd2), shift + 1);
    out[1] = narrow(add(b, odd0), shift + 1);
    out[2] = narrow(subtract(b, odd0), shift + 1);
    out[3] = narrow(subtract(a, odd2), shift + 1);
}

/// Five of eight inputs give two outputs.
INLINE_AVX2 void transform2(const words *in, words *out, int shift) {
    sums even = widen(in[0], 15, shift + 2);
    sums odd = add(weigh(in[1], 29692, in[3], -10426), weigh(in[5], 6967, in[7], -5906));
    out[0] = narrow(add(even, odd), shift + 2);
    out[1] = narrow(subtract(even, odd), shift + 2);
}

INLINE_AVX2 void transform(const words *in, words *out, int size, int shift) {
    if (size == 8) transform8(in, out, shift);
    if (size == 4) transform4(in, out, shift);
    if (size == 2) transform2(in, out, shift);
}

/// Returns the products of coefficient `k`, of which bits are seen if they do not fit 14 bits.
INLINE_AVX2 words load(const int16_t *batch, const uint16_t *quantization, int k, magnitudes *seen) {
    words values = _mm256_loadu_si256((const __m256i *)(batch + k * jpg_lanes));
    words factor = _mm256_set1_epi16((int16_t)quantization[k]);
    words low = _mm256_mullo_epi16(values, factor), high = _mm256_mulhi_epi16(values, factor);
    seen->coefficients = _mm256_or_si256(seen->coefficients, _mm256_xor_si256(high, _mm256_srai_epi16(low, 13)));
    return low;
}

/// Transforms a column, whose coefficients below the given diagonal are zero.
INLINE_AVX2 void transform_column(const int16_t *batch, const uint16_t *quantization, int size, int diagonal,
                                  int column, words *out, magnitudes *seen) {
    words in[8];
#pragma clang loop unroll(full)
    for (int row = 0; row < 8; row++) {
        bool is_zero = row + column > diagonal || !is_used(row, size);
        in[row] = is_zero ? _mm256_setzero_si256() : load(batch, quantization, zigzag[row * 8 + column], seen);
    }
    transform(in, out, size, 11);
#pragma clang loop unroll(full)
    for (int row = 0; row < size; row++) seen->columns = _mm256_or_si256(seen->columns, _mm256_abs_epi16(out[row]));
}

INLINE_AVX2 words sample(words value, magnitudes *seen) {
    seen->samples = _mm256_or_si256(seen->samples, _mm256_abs_epi16(value));
    return _mm256_add_epi16(value, _mm256_set1_epi16(128));
}

/// Stores the lower halves of two vectors next to each other.
INLINE_AVX2 void store_low(__m256i a, __m256i b, uint8_t *out) {
    _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(a, b, 0x20));
}

/// Stores the upper halves of two vectors next to each other.
INLINE_AVX2 void store_high(__m256i a, __m256i b, uint8_t *out) {
    _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(a, b, 0x31));
}

/// Four bytes of each of 16 blocks: of blocks 0 to 3 and 8 to 11, and of blocks 4 to 7 and 12 to 15.
typedef struct {
    __m256i low, high;
} quads;

INLINE_AVX2 quads interleave(const words *columns) {
    __m256i even = _mm256_packus_epi16(columns[0], columns[2]), odd = _mm256_packus_epi16(columns[1], columns[3]);
    __m256i left = _mm256_unpacklo_epi8(even, odd), right = _mm256_unpackhi_epi8(even, odd);
    return (quads){.low = _mm256_unpacklo_epi16(left, right), .high = _mm256_unpackhi_epi16(left, right)};
}

/// Stores a row of pixels, whose columns are vectors, block after block.
INLINE_AVX2 void store_row(const words *row, int size, uint8_t *out, magnitudes *seen) {
    words columns[8];
    for (int i = 0; i < size; i++) columns[i] = sample(row[i], seen);
    if (size == 8) {
        quads left = interleave(columns), right = interleave(columns + 4);
        __m256i a = _mm256_unpacklo_epi32(left.low, right.low), b = _mm256_unpackhi_epi32(left.low, right.low);
        __m256i c = _mm256_unpacklo_epi32(left.high, right.high), d = _mm256_unpackhi_epi32(left.high, right.high);
        store_low(a, b, out);
        store_low(c, d, out + 32);
        store_high(a, b, out + 64);
        store_high(c, d, out + 96);
    } else if (size == 4) {
        quads all = interleave(columns);
        store_low(all.low, all.high, out);
        store_high(all.low, all.high, out + 32);
    } else {
        __m256i both = _mm256_packus_epi16(columns[0], columns[1]);
        both = _mm256_unpacklo_epi8(both, _mm256_bsrli_epi128(both, 8));
        _mm256_storeu_si256((__m256i *)out, both);
    }
}

INLINE_AVX2 bool is_within(magnitudes seen) {
    words columns = _mm256_and_si256(seen.columns, _mm256_set1_epi16((int16_t)-column_limit));
    words samples = _mm256_and_si256(seen.samples, _mm256_set1_epi16((int16_t)-sample_limit));
    words any = _mm256_or_si256(seen.coefficients, _mm256_or_si256(columns, samples));
    return _mm256_testz_si256(any, any);
}

/// Transforms 16 blocks. Loops stay loops where no terms can be dropped: the code of all variants must fit the cache.
INLINE_AVX2 bool transform_batch(const int16_t *batch, const uint16_t *quantization, int size, int diagonal,
                                 uint8_t *out, size_t stride) {
    magnitudes seen = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
    words columns[8][8];
    if (diagonal == 14) {
#pragma clang loop unroll(disable)
        for (int column = 0; column < 8; column++) {
            if (!is_used(column, size)) continue;
            transform_column(batch, quantization, size, diagonal, column, columns[column], &seen);
        }
    } else {
#pragma clang loop unroll(full)
        for (int column = 0; column <= diagonal; column++) {
            if (!is_used(column, size)) continue;
            transform_column(batch, quantization, size, diagonal, column, columns[column], &seen);
        }
    }
#pragma clang loop unroll(disable)
    for (int row = 0; row < size; row++) {
        words in[8], pixels[8];
#pragma clang loop unroll(full)
        for (int column = 0; column < 8; column++) {
            bool is_zero = column > diagonal || !is_used(column, size);
            in[column] = is_zero ? _mm256_setzero_si256() : columns[column][row];
        }
        transform(in, pixels, size, 18);
        store_row(pixels, size, out + (size_t)row * stride, &seen);
    }
    return is_within(seen);
}

/// Chooses the code for the last diagonal in use, as idct.c does.
INLINE_AVX2 bool transform_used(const int16_t *batch, const uint16_t *quantization, int used, int size, uint8_t *out,
                                size_t stride) {
    if (used <= 1) return transform_batch(batch, quantization, size, 0, out, stride);
    if (used <= 3) return transform_batch(batch, quantization, size, 1, out, stride);
    if (used <= 10) return transform_batch(batch, quantization, size, 3, out, stride);
    if (used <= 21) return transform_batch(batch, quantization, size, 5, out, stride);
    return transform_batch(batch, quantization, size, 14, out, stride);
}

__attribute__((target("avx2"))) bool jpg_transform_avx2(const int16_t *batch, const uint16_t *quantization, int used,
                                                        int size, uint8_t *out, size_t stride) {
    if (size == 8) return transform_used(batch, quantization, used, 8, out, stride);
    if (size == 4) return transform_used(batch, quantization, used, 4, out, stride);
    return transform_used(batch, quantization, used, 2, out, stride);
}
#endif
