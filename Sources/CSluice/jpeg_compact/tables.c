// SPDX-License-Identifier: MIT
#include "picture.h"

// The tables and the value of bits (`levels.c`) are fitted to the SSIMULACRA 2 scores of photographs of 128 to 320
// pixels, with eight parameters for circles of equal frequency. The steps of chroma are limited, so that coloured
// stripes remain, which costs 0.1 % of the bytes of photographs.

/// The steps of luma, in zigzag order; 16 is one.
static const uint16_t luma[cjc_block] = {
    139, 175, 175, 403, 257, 403, 453, 469, 469, 453, 525, 450, 457, 450, 525, 576,
    538, 486, 486, 538, 576, 570, 576, 576, 551, 576, 576, 570, 619, 570, 574, 576,
    576, 574, 570, 619, 627, 568, 571, 572, 571, 568, 627, 650, 588, 568, 568, 588,
    650, 690, 642, 627, 642, 690, 746, 714, 714, 746, 820, 803, 820, 914, 914, 1029,
};

/// The steps of chroma that has a sample for each pixel.
static const uint16_t full_chroma[cjc_block] = {
    233, 520, 520, 800, 637, 800, 936, 868, 868, 936, 1120, 951, 920, 951, 1120, 1120,
    1120, 1090, 1090, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120,
    1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120,
    1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120,
};

/// The steps of chroma samples that are shared by pixels.
static const uint16_t half_chroma[cjc_block] = {
    83, 140, 140, 260, 223, 260, 309, 275, 275, 309, 430, 317, 301, 317, 430, 517,
    450, 371, 371, 450, 517, 514, 517, 513, 471, 513, 517, 514, 717, 513, 516, 517,
    517, 516, 513, 717, 752, 512, 514, 515, 514, 512, 752, 865, 589, 512, 512, 589,
    865, 1084, 826, 752, 826, 1084, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120, 1120,
};

/// For qualities, the factor of the steps in 1024ths with which 4:2:0 looks as good as libjpeg-turbo's.
static const struct {
    int quality, factor;
} factors[] = {
    {1, 20480}, {10, 4096}, {20, 2567}, {30, 1716}, {40, 1291}, {50, 1065}, {60, 906}, {70, 712},
    {75, 615},  {80, 519},  {85, 423},  {90, 291},  {95, 159},  {98, 68},   {100, 1},
};

/// The factor of a quality from 1 to 100, linear between those that are known.
static int factor_of(int quality) {
    int i = 1;
    while (factors[i].quality < quality) i++;
    int part = (quality - factors[i - 1].quality) * (factors[i - 1].factor - factors[i].factor);
    return factors[i - 1].factor - part / (factors[i].quality - factors[i - 1].quality);
}

void cjc_make_tables(uint16_t tables[2][cjc_block], const csluice_jpeg_options *options) {
    bool is_full = options->shared_across * options->shared_down == 1;
    const uint16_t *bases[2] = {luma, is_full ? full_chroma : half_chroma};
    int factor = factor_of(options->quality);
    for (int k = 0; k < 2 * cjc_block; k++) {
        int step = (bases[k / cjc_block][k % cjc_block] * factor + 8192) >> 14;
        tables[k / cjc_block][k % cjc_block] = (uint16_t)(step < 1 ? 1 : step > 255 ? 255 : step);
    }
}
