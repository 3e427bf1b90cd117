// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

// The resampler's inner loops. They exist in C because Swift cannot choose vector instructions at run time. Each adds
// the same products in the same order on every machine and with every instruction set, so that the same picture gives
// the same bytes everywhere; none fuses a multiplication with an addition.

/// How many samples past the last one the loops may read and write.
enum { csluice_slack = 64 };

/// Rows that come round again: row `n` lies in slot `n % capacity`, `stride` samples after the slot before it.
typedef struct {
    const void *_Nonnull rows;
    size_t stride, capacity;
} csluice_ring;

/// Puts a row of `count` pixels beside the row before it: the first of a pair into the low halves, the second into the
/// high. The three channels of RGB come one behind the other; 1 channel is grey.
void csluice_pair_row(uint16_t *_Nonnull pairs, const uint8_t *_Nonnull row, size_t count, int channels, int second);

/// Sample `i` of `out` = the sum of the two weights of each of `taps` pairs of rows, from `first` on, times their
/// samples `i`, in 64ths. The slots of the ring hold pairs; a target's weights add up to 16384.
void csluice_mix_pairs(csluice_ring ring, size_t first, const int16_t *_Nonnull weights, size_t taps,
                       int16_t *_Nonnull out, size_t count);

/// Sample `x` of `out` = the sum of weight `k` times sample `firsts[x] + k` of `row`, which `csluice_mix_pairs` made,
/// rounded to a byte; `taps` of them, a multiple of 8. First places and weights are there for a multiple of 8 samples.
void csluice_narrow(const int16_t *_Nonnull row, const int32_t *_Nonnull firsts, const int16_t *_Nonnull weights,
                    size_t taps, uint8_t *_Nonnull out, size_t count);

/// Joins three rows, `stride` samples from each other, to RGB pixels.
void csluice_join_rgb(const uint8_t *_Nonnull rows, size_t stride, uint8_t *_Nonnull out, size_t count);

/// Sample `i` of `out` = the sum of `weights[k]` times sample `i` of row `first + k`, for rows of 16-bit samples.
void csluice_mix_words(csluice_ring ring, size_t first, const float *_Nonnull weights, size_t taps,
                       float *_Nonnull out, size_t count);

/// Pixel `x` of `out` = the sum of weight `k` times pixel `firsts[x] + k` of `row`, `taps` of them, a multiple of 4.
/// The weights stand pixel by pixel, each as often as there are channels, which are 1, 3 or 4.
void csluice_mix_pixels(const float *_Nonnull row, const int32_t *_Nonnull firsts, const float *_Nonnull weights,
                        size_t taps, float *_Nonnull out, size_t count, int channels);

/// Rounds samples, times `scale`, to bytes.
void csluice_round_all(const float *_Nonnull row, float scale, uint8_t *_Nonnull out, size_t count);

/// Rounds RGBA pixels whose colours are multiplied by their alpha, and divides them by it; `peak` is full alpha.
void csluice_round_unmultiplied(const float *_Nonnull row, float peak, uint8_t *_Nonnull out, size_t pixels);
