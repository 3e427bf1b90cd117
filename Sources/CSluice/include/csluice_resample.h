// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

// The resampler's inner loops. They are in C because Swift cannot choose vector instructions at run time. Each loop
// adds the same products in the same order with every instruction set and fuses no multiplication with an addition,
// so that the same image gives the same bytes on every machine.

/// The number of samples beyond the last one that the loops may read and write.
enum { csluice_padding = 64 };

/// A ring buffer of rows: row `n` is in slot `n % capacity`, and slots are `stride` samples apart.
typedef struct {
    const void *_Nonnull rows;
    size_t stride, capacity;
} csluice_ring;

/// Interleaves a row of `count` pixels with the previous row: the first row of a pair is in the low bytes, the second
/// in the high bytes. The three channels of RGB are stored in sequence; 1 channel is grey.
void csluice_pair_row(uint16_t *_Nonnull pairs, const uint8_t *_Nonnull row, size_t count, int channels, int second);

/// Computes the vertical pass for 8-bit rows. Sample `i` of `out` is the sum, in 64ths, over `taps` row pairs starting
/// at `first`, of both rows' samples `i` times their weights. The ring's slots hold pairs; a target's weights sum to
/// 16384.
void csluice_vertical_int(csluice_ring ring, size_t first, const int16_t *_Nonnull weights, size_t taps,
                          int16_t *_Nonnull out, size_t count);

/// Computes the horizontal pass for a row from `csluice_vertical_int`. Sample `x` of `out` is the sum of weight `k`
/// times sample `firsts[x] + k`, for `taps` weights (a multiple of 8), rounded to a byte. `firsts` and `weights` are
/// padded to a multiple of 8 samples.
void csluice_horizontal_int(const int16_t *_Nonnull row, const int32_t *_Nonnull firsts,
                            const int16_t *_Nonnull weights, size_t taps, uint8_t *_Nonnull out, size_t count);

/// Interleaves three planes, `stride` samples apart, into RGB pixels.
void csluice_interleave_rgb(const uint8_t *_Nonnull rows, size_t stride, uint8_t *_Nonnull out, size_t count);

/// Computes the vertical pass for 16-bit rows. Sample `i` of `out` is the sum of `weights[k]` times sample `i` of row
/// `first + k`.
void csluice_vertical_float(csluice_ring ring, size_t first, const float *_Nonnull weights, size_t taps,
                            float *_Nonnull out, size_t count);

/// Computes the horizontal pass in floating point. Pixel `x` of `out` is the sum of weight `k` times pixel `firsts[x] +
/// k` of `row`, for `taps` weights (a multiple of 4). Weights are stored per pixel, each repeated for every channel;
/// there are 1, 3 or 4.
void csluice_horizontal_float(const float *_Nonnull row, const int32_t *_Nonnull firsts, const float *_Nonnull weights,
                              size_t taps, float *_Nonnull out, size_t count, int channels);

/// Multiplies samples by `scale` and rounds them to bytes.
void csluice_round_to_bytes(const float *_Nonnull row, float scale, uint8_t *_Nonnull out, size_t count);

/// Divides premultiplied RGBA colours by their alpha and rounds them to bytes; `peak` is full alpha.
void csluice_unpremultiply_to_bytes(const float *_Nonnull row, float peak, uint8_t *_Nonnull out, size_t pixels);
