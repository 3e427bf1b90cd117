// SPDX-License-Identifier: MIT
#include "rows_avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define INLINE_AVX2 __attribute__((target("avx2"), always_inline)) static inline

enum { vector = 32 };

/// 16-bit values of 32 pixels: those of pixels 0 to 7 and 16 to 23, and those of pixels 8 to 15 and 24 to 31.
typedef struct {
    __m256i low, high;
} words;

INLINE_AVX2 words load(const uint8_t *from) {
    __m256i bytes = _mm256_loadu_si256((const __m256i *)from), zero = _mm256_setzero_si256();
    return (words){.low = _mm256_unpacklo_epi8(bytes, zero), .high = _mm256_unpackhi_epi8(bytes, zero)};
}

/// Half of each of libjpeg's factors for green, of which 1/65536 is the unit; both are even.
enum { green_of_blue = -22554 / 2, green_of_red = 18734 / 2 };

/// Returns what green differs from luma by, without the red that is subtracted as a whole.
INLINE_AVX2 __m256i green_part(__m256i blue, __m256i red) {
    __m256i factors = _mm256_set1_epi32((int)((uint32_t)green_of_red << 16 | (uint16_t)green_of_blue));
    __m256i half = _mm256_set1_epi32(1 << 14);
    __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(blue, red), factors);
    __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(blue, red), factors);
    low = _mm256_srai_epi32(_mm256_add_epi32(low, half), 15);
    high = _mm256_srai_epi32(_mm256_add_epi32(high, half), 15);
    return _mm256_packs_epi32(low, high);
}

typedef struct {
    __m256i r, g, b;
} colors;

/// Converts 16 pixels. For all values of a byte, the rounded product with 13173/32768 is that with 26345/65536.
INLINE_AVX2 colors convert_words(__m256i light, __m256i blue, __m256i red) {
    __m256i middle = _mm256_set1_epi16(128);
    blue = _mm256_sub_epi16(blue, middle);
    red = _mm256_sub_epi16(red, middle);
    __m256i r = _mm256_add_epi16(red, _mm256_mulhrs_epi16(red, _mm256_set1_epi16(13173)));
    __m256i g = _mm256_sub_epi16(green_part(blue, red), red);
    __m256i b = _mm256_add_epi16(_mm256_slli_epi16(blue, 1), _mm256_mulhrs_epi16(blue, _mm256_set1_epi16(-7471)));
    return (colors){_mm256_add_epi16(light, r), _mm256_add_epi16(light, g), _mm256_add_epi16(light, b)};
}

/// Places the bytes of one channel in a third of the RGB bytes, of 16 pixels each.
INLINE_AVX2 __m256i spread(__m256i bytes, int channel, int third) {
    int8_t places[16];
    for (int i = 0; i < 16; i++) {
        int place = 16 * third + i;
        places[i] = place % 3 == channel ? (int8_t)(place / 3) : -1;
    }
    return _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)places)));
}

INLINE_AVX2 __m256i make_third(colors from, int third) {
    return _mm256_or_si256(_mm256_or_si256(spread(from.r, 0, third), spread(from.g, 1, third)),
                           spread(from.b, 2, third));
}

/// Converts 32 pixels.
INLINE_AVX2 void convert(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *out) {
    words light = load(y), blue = load(cb), red = load(cr);
    colors low = convert_words(light.low, blue.low, red.low), high = convert_words(light.high, blue.high, red.high);
    colors all = {_mm256_packus_epi16(low.r, high.r), _mm256_packus_epi16(low.g, high.g),
                  _mm256_packus_epi16(low.b, high.b)};
    __m256i first = make_third(all, 0), second = make_third(all, 1), last = make_third(all, 2);
    _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(first, second, 0x20));
    _mm256_storeu_si256((__m256i *)(out + vector), _mm256_blend_epi32(last, first, 0xF0));
    _mm256_storeu_si256((__m256i *)(out + 2 * vector), _mm256_permute2x128_si256(second, last, 0x31));
}

__attribute__((target("avx2"))) size_t jpg_convert_pixels_avx2(const uint8_t *y, const uint8_t *cb, const uint8_t *cr,
                                                               uint8_t *out, size_t count) {
    size_t i = 0;
    for (; i + vector <= count; i += vector) convert(y + i, cb + i, cr + i, out + 3 * i);
    return i;
}
#endif
