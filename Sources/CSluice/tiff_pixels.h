// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tiffio.h>

#include "csluice_tiff.h"

/// Whether a page's samples can be unpacked to rows of a shape.
typedef enum {
    csluice_tiff_fit_none,
    /// Sluice unpacks the samples.
    csluice_tiff_fit_unpacked,
    /// libtiff converts the samples to RGBA.
    csluice_tiff_fit_converted,
} csluice_tiff_fit;

/// The meaning of a page's samples.
typedef struct {
    int samples, bits, planes;
    /// The channels and the depth of unpacked rows.
    int channels, depth;
    /// The sample that is alpha; none if it is negative.
    int alpha;
    /// `mixes_inks` means that CMYK becomes RGB.
    bool is_premultiplied, is_inverted, is_palette, mixes_inks;
    /// The colours of a palette.
    uint8_t color_table[256][3];
} csluice_tiff_pixels;

/// Reads the tags of a page, and checks that its samples fit rows of a shape.
csluice_tiff_fit csluice_tiff_pixels_init(csluice_tiff_pixels *pixels, TIFF *file, csluice_tiff_shape shape);

/// Unpacks a row, whose planes are `stride` bytes apart.
void csluice_tiff_pixels_unpack(const csluice_tiff_pixels *pixels, const uint8_t *row, size_t stride, uint32_t width,
                                uint8_t *out);
