// SPDX-License-Identifier: MIT
#include "unfilter.h"

#include <string.h>

#include "../dispatch.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { filter_none, filter_sub, filter_up, filter_average, filter_paeth };

INLINE void unfilter_up(const uint8_t *from, const uint8_t *above, uint8_t *row, size_t count) {
    for (size_t index = 0; index < count; index++) row[index] = (uint8_t)(from[index] + above[index]);
}

#if defined(__SSE2__)
/// A pixel of up to 8 bytes as 16-bit numbers.
INLINE __m128i widen(uint64_t pixel) { return _mm_unpacklo_epi8(_mm_cvtsi64_si128((long long)pixel), _mm_setzero_si128()); }

/// Loads and stores a whole number of words, of which the bytes after the pixel have no meaning.
INLINE uint64_t load(const uint8_t *bytes, size_t pixel) {
    uint64_t word = 0;
    memcpy(&word, bytes, pixel > 4 ? 8 : pixel > 2 ? 4 : pixel);
    return word;
}

INLINE void store(uint8_t *bytes, __m128i pixel_bytes, size_t pixel) {
    uint64_t word = (uint64_t)_mm_cvtsi128_si64(pixel_bytes);
    memcpy(bytes, &word, pixel > 4 ? 8 : pixel > 2 ? 4 : pixel);
}

INLINE void unfilter_sub(const uint8_t *from, uint8_t *row, size_t count, size_t pixel) {
    __m128i left = _mm_setzero_si128();
    for (size_t index = 0; index < count; index += pixel) {
        left = _mm_add_epi8(left, _mm_cvtsi64_si128((long long)load(from + index, pixel)));
        store(row + index, left, pixel);
    }
}

INLINE void unfilter_average(const uint8_t *from, const uint8_t *above, uint8_t *row, size_t count, size_t pixel) {
    __m128i left = _mm_setzero_si128(), ones = _mm_set1_epi8(1);
    for (size_t index = 0; index < count; index += pixel) {
        __m128i up = _mm_cvtsi64_si128((long long)load(above + index, pixel));
        // The instruction rounds up, the filter down.
        __m128i odd = _mm_and_si128(_mm_xor_si128(left, up), ones);
        __m128i average = _mm_sub_epi8(_mm_avg_epu8(left, up), odd);
        left = _mm_add_epi8(average, _mm_cvtsi64_si128((long long)load(from + index, pixel)));
        store(row + index, left, pixel);
    }
}

INLINE __m128i magnitude(__m128i value) { return _mm_max_epi16(value, _mm_sub_epi16(_mm_setzero_si128(), value)); }

INLINE __m128i choose(__m128i mask, __m128i yes, __m128i no) {
    return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

INLINE void unfilter_paeth(const uint8_t *from, const uint8_t *above, uint8_t *row, size_t count, size_t pixel) {
    __m128i left = _mm_setzero_si128(), corner = left, bytes = _mm_set1_epi16(255);
    for (size_t index = 0; index < count; index += pixel) {
        __m128i up = widen(load(above + index, pixel)), value = widen(load(from + index, pixel));
        __m128i rise = _mm_sub_epi16(up, corner);
        __m128i run = _mm_sub_epi16(left, corner);
        __m128i to_left = magnitude(rise);
        __m128i to_up = magnitude(run);
        __m128i to_corner = magnitude(_mm_add_epi16(rise, run));
        __m128i least = _mm_min_epi16(to_left, _mm_min_epi16(to_up, to_corner));
        __m128i other = choose(_mm_cmpeq_epi16(least, to_up), up, corner);
        __m128i nearest = choose(_mm_cmpeq_epi16(least, to_left), left, other);
        left = _mm_and_si128(_mm_add_epi16(nearest, value), bytes);
        store(row + index, _mm_packus_epi16(left, left), pixel);
        corner = up;
    }
}
#else
INLINE void unfilter_sub(const uint8_t *from, uint8_t *row, size_t count, size_t pixel) {
    for (size_t index = 0; index < count; index++) {
        row[index] = (uint8_t)(from[index] + (index < pixel ? 0 : row[index - pixel]));
    }
}

INLINE void unfilter_average(const uint8_t *from, const uint8_t *above, uint8_t *row, size_t count, size_t pixel) {
    for (size_t index = 0; index < count; index++) {
        row[index] = (uint8_t)(from[index] + (above[index] + (index < pixel ? 0 : row[index - pixel])) / 2);
    }
}

INLINE int magnitude(int value) { return value < 0 ? -value : value; }

INLINE void unfilter_paeth(const uint8_t *from, const uint8_t *above, uint8_t *row, size_t count, size_t pixel) {
    for (size_t index = 0; index < count; index++) {
        int left = index < pixel ? 0 : row[index - pixel], corner = index < pixel ? 0 : above[index - pixel];
        int up = above[index];
        int to_left = magnitude(up - corner), to_up = magnitude(left - corner);
        int to_corner = magnitude(left + up - 2 * corner);
        int nearest = to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner;
        row[index] = (uint8_t)(from[index] + nearest);
    }
}
#endif

/// With a constant size of the pixels, the compiler makes the best loops.
INLINE bool unfilter_pixels(const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, size_t pixel) {
    const uint8_t *from = filtered + 1;
    switch (*filtered) {
    case filter_none: memcpy(row, from, count); return true;
    case filter_sub: unfilter_sub(from, row, count, pixel); return true;
    case filter_up: unfilter_up(from, above, row, count); return true;
    case filter_average: unfilter_average(from, above, row, count, pixel); return true;
    case filter_paeth: unfilter_paeth(from, above, row, count, pixel); return true;
    default: return false;
    }
}

INLINE bool unfilter(const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, size_t pixel_bytes) {
    switch (pixel_bytes) {
    case 1: return unfilter_pixels(filtered, above, row, count, 1);
    case 2: return unfilter_pixels(filtered, above, row, count, 2);
    case 3: return unfilter_pixels(filtered, above, row, count, 3);
    case 4: return unfilter_pixels(filtered, above, row, count, 4);
    case 6: return unfilter_pixels(filtered, above, row, count, 6);
    default: return unfilter_pixels(filtered, above, row, count, 8);
    }
}

DISPATCH(bool, unfilter,
         (const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, size_t pixel_bytes),
         (filtered, above, row, count, pixel_bytes))
