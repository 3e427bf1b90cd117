// SPDX-License-Identifier: MIT
#include "picture.h"

#include <stdlib.h>
#include <string.h>

const uint8_t cjc_zigzag[cjc_block] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

/// The bits after the point of samples and coefficients.
enum { fraction_bits = 4, constant_bits = 13 };

typedef int32_t lanes[8];

static inline int32_t rounded(int32_t value, int shift) { return (value + (1 << (shift - 1))) >> shift; }

/// Transforms eight columns of eight samples, with the factors of Loeffler, Ligtenberg and Moschytz.
static void transform_columns(lanes v[8], int shift) {
    for (int i = 0; i < 8; i++) {
        int32_t sum0 = v[0][i] + v[7][i], sum1 = v[1][i] + v[6][i], sum2 = v[2][i] + v[5][i], sum3 = v[3][i] + v[4][i];
        int32_t odd7 = v[0][i] - v[7][i], odd6 = v[1][i] - v[6][i], odd5 = v[2][i] - v[5][i], odd4 = v[3][i] - v[4][i];
        int32_t even0 = sum0 + sum3, even3 = sum0 - sum3, even1 = sum1 + sum2, even2 = sum1 - sum2;
        v[0][i] = rounded((even0 + even1) * (1 << constant_bits), shift);
        v[4][i] = rounded((even0 - even1) * (1 << constant_bits), shift);
        int32_t turned = (even2 + even3) * 4433;
        v[2][i] = rounded(turned + even3 * 6270, shift);
        v[6][i] = rounded(turned - even2 * 15137, shift);
        int32_t z1 = (odd4 + odd7) * -7373, z2 = (odd5 + odd6) * -20995;
        int32_t z3 = odd4 + odd6, z4 = odd5 + odd7, z5 = (z3 + z4) * 9633;
        z3 = z3 * -16069 + z5;
        z4 = z4 * -3196 + z5;
        v[7][i] = rounded(odd4 * 2446 + z1 + z3, shift);
        v[5][i] = rounded(odd5 * 16819 + z2 + z4, shift);
        v[3][i] = rounded(odd6 * 25172 + z2 + z3, shift);
        v[1][i] = rounded(odd7 * 12299 + z1 + z4, shift);
    }
}

/// Lets white areas of a block bulge beyond white, as decoders cut that off: their edges then ring less.
///
/// The samples are visited in zigzag order, as in mozjpeg. Black areas bulge if `sign` is -1. The bulges are at most
/// `most` high, and not so high that the block's mean would leave the range.
static void bulge(lanes rows[8], int sign, int32_t most) {
    int32_t *samples = rows[0], sum = 0, count = 0;
    int32_t white = (sign < 0 ? 128 : 127) << fraction_bits;
    for (int k = 0; k < cjc_block; k++) {
        sum += sign * samples[k];
        count += sign * samples[k] >= white;
    }
    if (count == 0 || count == cjc_block) return;
    int32_t room = (white * cjc_block - sum) / count;
    if (most > room) most = room;
    for (int start = 0, end; start < cjc_block; start = end + 1) {
        for (end = start; end < cjc_block && sign * samples[cjc_zigzag[end]] >= white; end++) {}
        if (end == start) continue;
        int32_t length = end - start;
        // The slopes at both ends; an area at the end of the block has the other one.
        int32_t rise = start == 0 ? 0 : white - sign * samples[cjc_zigzag[start - 1]];
        int32_t fall = end == cjc_block ? rise : white - sign * samples[cjc_zigzag[end]];
        if (start == 0) rise = fall;
        for (int32_t i = 1; i <= length; i++) {
            int32_t left = length + 1 - i;
            int64_t height = (int64_t)length * i * left * (rise * left + fall * i);
            height /= (length + 1) * (length + 1) * (length + 1);
            samples[cjc_zigzag[start + i - 1]] = sign * (white + (height < most ? (int32_t)height : most));
        }
    }
}

/// Transforms a block; areas of white and black bulge up to `most`.
static void transform(const int16_t *samples, size_t stride, int32_t most, int16_t *out) {
    lanes rows[8], columns[8];
    for (size_t k = 0; k < cjc_block; k++) rows[k / 8][k % 8] = samples[k / 8 * stride + k % 8];
    if (most > 0) {
        bulge(rows, 1, most);
        bulge(rows, -1, most);
    }
    transform_columns(rows, constant_bits);
    for (int k = 0; k < cjc_block; k++) columns[k / 8][k % 8] = rows[k % 8][k / 8];
    // Both passes together make coefficients eight times too large.
    transform_columns(columns, constant_bits + 3);
    for (int k = 0; k < cjc_block; k++) out[k] = (int16_t)columns[cjc_zigzag[k] & 7][cjc_zigzag[k] >> 3];
}

/// A row of MCUs: for each component, 8 or 16 rows with a sample for each pixel.
typedef struct {
    size_t stride;
    int height;
    int16_t *planes[cjc_max_components];
} band;

/// Converts a row of pixels, and repeats its last pixel up to the end of the band.
static void convert_row(const band *band, int y, const uint8_t *pixels, size_t width, int channels) {
    int16_t *rows[cjc_max_components];
    size_t start = (size_t)y * band->stride;
    int count = channels == 1 ? 1 : 3;
    for (int i = 0; i < count; i++) rows[i] = band->planes[i] + start;
    for (size_t x = 0; x < width; x++) {
        if (channels == 1) {
            rows[0][x] = (int16_t)((pixels[x] - 128) * (1 << fraction_bits));
            continue;
        }
        int32_t red = pixels[3 * x], green = pixels[3 * x + 1], blue = pixels[3 * x + 2];
        rows[0][x] = (int16_t)(rounded(red * 19595 + green * 38470 + blue * 7471, 12) - (128 << fraction_bits));
        rows[1][x] = (int16_t)rounded(red * -11059 + green * -21709 + blue * 32768, 12);
        rows[2][x] = (int16_t)rounded(red * 32768 + green * -27439 + blue * -5329, 12);
    }
    for (int i = 0; i < count; i++) {
        for (size_t x = width; x < band->stride; x++) rows[i][x] = rows[i][width - 1];
    }
}

/// Replaces samples by the means of those that share one.
static void shrink(int16_t *plane, const band *band, size_t across, int down) {
    for (int y = 0; y < band->height / down; y++) {
        const int16_t *upper = plane + (size_t)(y * down) * band->stride;
        const int16_t *lower = upper + (size_t)(down - 1) * band->stride;
        int16_t *out = plane + (size_t)y * band->stride;
        for (size_t x = 0; x < band->stride / across; x++) {
            size_t left = x * across, right = left + across - 1;
            out[x] = (int16_t)rounded(upper[left] + upper[right] + lower[left] + lower[right], 2);
        }
    }
}

/// Transforms the blocks of a component in a band, which is the row `mcu_row` of MCUs.
static void transform_band(const cjc_component *component, const int16_t *plane, size_t stride, int mcu_row,
                           int32_t most) {
    for (int y = 0; y < component->down; y++) {
        int row = mcu_row * component->down + y;
        if (row >= component->rows) return;
        for (int x = 0; x < component->columns; x++) {
            size_t block = (size_t)row * (size_t)component->stride + (size_t)x;
            transform(plane + (size_t)y * 8 * stride + (size_t)x * 8, stride, most,
                      component->coefficients + block * cjc_block);
        }
    }
}

static int divided(int value, int divisor) { return (value + divisor - 1) / divisor; }

/// Plans the components and allocates their arrays.
static bool allocate(cjc_picture *picture, const csluice_jpeg_options *options) {
    picture->count = options->channels == 1 ? 1 : 3;
    int across = picture->count == 1 ? 1 : options->shared_across;
    int down = picture->count == 1 ? 1 : options->shared_down;
    size_t blocks = 0;
    for (int i = 0; i < picture->count; i++) {
        cjc_component *component = &picture->components[i];
        component->across = i == 0 ? across : 1;
        component->down = i == 0 ? down : 1;
        component->columns = divided(divided(options->width * component->across, across), 8);
        component->rows = divided(divided(options->height * component->down, down), 8);
        component->stride = divided(options->width, 8 * across) * component->across;
        component->depth = divided(options->height, 8 * down) * component->down;
        blocks += (size_t)component->stride * (size_t)component->depth;
    }
    uint64_t *used = malloc(blocks * (sizeof *used + 2 * cjc_block * sizeof(int16_t)));
    if (!used) return false;
    picture->memory = used;
    int16_t *values = (int16_t *)(used + blocks);
    for (int i = 0; i < picture->count; i++) {
        cjc_component *component = &picture->components[i];
        size_t count = (size_t)component->stride * (size_t)component->depth;
        component->used = used;
        component->coefficients = values;
        component->levels = values + count * cjc_block;
        used += count;
        values += 2 * count * cjc_block;
    }
    return true;
}

bool cjc_picture_init(cjc_picture *picture, const csluice_jpeg_options *options, const uint8_t *pixels,
                      int bulges) {
    if (!allocate(picture, options)) return false;
    const cjc_component *luma = &picture->components[0];
    band band = {.stride = (size_t)luma->stride * 8, .height = luma->down * 8};
    size_t samples = band.stride * (size_t)band.height;
    int16_t *memory = malloc(samples * (size_t)picture->count * sizeof *memory);
    if (!memory) return false;
    for (int i = 0; i < picture->count; i++) band.planes[i] = memory + samples * (size_t)i;
    size_t width = (size_t)options->width;
    for (int mcu_row = 0; mcu_row < luma->depth / luma->down; mcu_row++) {
        for (int y = 0; y < band.height; y++) {
            int row = mcu_row * band.height + y;
            if (row >= options->height) row = options->height - 1;
            convert_row(&band, y, pixels + (size_t)row * width * (size_t)options->channels, width, options->channels);
        }
        for (int i = 0; i < picture->count; i++) {
            if (i > 0) shrink(band.planes[i], &band, (size_t)luma->across, luma->down);
            int32_t most = i == 0 ? bulges * (1 << fraction_bits) : 0;
            transform_band(&picture->components[i], band.planes[i], band.stride, mcu_row, most);
        }
    }
    free(memory);
    return true;
}

void cjc_picture_free(cjc_picture *picture) { free(picture->memory); }
