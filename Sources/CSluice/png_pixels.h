// SPDX-License-Identifier: MIT
#pragma once

#include "csluice_png.h"
#include "stream.h"

/// What another decoder needs in order to continue a reader at a PNG's pixels.
typedef struct {
    /// The input, directly after the name of the first IDAT, and the length of that chunk.
    csluice_stream *stream;
    uint32_t length;
    /// The longest IDAT that makes sense.
    uint32_t max_length;
    /// The size of rows and pixels, without filters and in the file's layout, which is the output's.
    size_t row_bytes, pixel_bytes;
    size_t height;
    bool has_16_bits;
} csluice_png_pixels;

/// Describes a started reader's pixels; returns false if libpng changes more about them than the byte order.
bool csluice_png_find_pixels(csluice_png_reader *reader, csluice_png_pixels *pixels);
