// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csluice_input.h"
#include "csluice_verdict.h"

/// A PNG being decoded. It exists because libpng jumps on error, and wants C callbacks.
typedef struct csluice_png_reader csluice_png_reader;

/// What the rows of a started PNG are like.
typedef struct {
    int width, height;
    /// 1 is grey, 3 is RGB, 4 is RGBA.
    int channels;
    /// 8 or 16; samples of 16 bits are in the machine's own byte order.
    int depth;
    /// How often the rows are gone through: 7 times for an interlaced picture, else once.
    int passes;
} csluice_png_shape;

/// Makes a reader; null if there is no memory for it.
/// Exists because libpng's limits, callbacks and ignored chunks are set by functions that can jump.
csluice_png_reader *_Nullable csluice_png_open(csluice_input input);

/// Lets a file that ends early give the rows that it has: they are read in so small pieces that hardly any bytes are lost
/// with the last, incomplete one.
/// Exists because it can jump.
csluice_verdict csluice_png_salvage(csluice_png_reader *_Nonnull reader);

/// Reads up to the pixels, and asks for rows of grey, RGB or RGBA with 8 or 16 bits.
/// Exists because it can jump.
csluice_verdict csluice_png_start(csluice_png_reader *_Nonnull reader, csluice_png_shape *_Nonnull shape);

/// The embedded colour profile, which lives as long as the reader; null if there is none.
/// Exists because libpng unpacks it, within the limits set.
const uint8_t *_Nullable csluice_png_profile(csluice_png_reader *_Nonnull reader, size_t *_Nonnull count);

/// Decodes one row of one pass; `row` holds what earlier passes put there, and is whole, if coarse, after the first.
/// Exists because it can jump.
csluice_verdict csluice_png_read_row(csluice_png_reader *_Nonnull reader, uint8_t *_Nonnull row);

/// Reads on to the end chunk, after the last row.
/// Exists because it can jump, and because only it tells a whole file from one that lacks its end.
csluice_verdict csluice_png_finish(csluice_png_reader *_Nonnull reader);

/// The library's words on the failure, or on the first warning; empty if there was none.
const char *_Nonnull csluice_png_message(const csluice_png_reader *_Nonnull reader);

/// Frees the reader.
void csluice_png_close(csluice_png_reader *_Nonnull reader);

/// How a PNG is to be written, with 8 bits.
typedef struct {
    int width, height;
    /// 1 is grey, 2 is grey with alpha, 3 is RGB, 4 is RGBA.
    int channels;
    /// zlib's level, 0 to 9.
    int level;
    /// The EXIF block, which begins with TIFF's header; nothing if the count is 0.
    const uint8_t *_Nullable exif;
    size_t exif_count;
    /// The colour profile; nothing if the count is 0.
    const uint8_t *_Nullable profile;
    size_t profile_count;
} csluice_png_plan;

/// Writes a whole PNG into memory which the caller frees; nothing is left behind if it fails.
/// Exists because libpng jumps on error, and wants C callbacks.
csluice_verdict csluice_png_write(const csluice_png_plan *_Nonnull plan, const uint8_t *_Nonnull pixels,
                                  uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull count);

/// libpng's version at run time, as a number like 10639.
/// Exists so that only this target needs libpng's header.
int csluice_png_version(void);
