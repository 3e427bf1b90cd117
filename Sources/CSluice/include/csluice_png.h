// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csluice_input.h"
#include "csluice_status.h"

/// A PNG decompressor.
/// Exists because libpng jumps on error and requires C callbacks.
typedef struct csluice_png_reader csluice_png_reader;

/// The dimensions and properties of a started PNG's rows.
typedef struct {
    int width, height;
    /// 1 is grey, 3 is RGB, 4 is RGBA.
    int channels;
    /// 8 or 16; 16-bit samples are in the machine's byte order.
    int depth;
    /// The number of times that libpng reads the rows: 7 for an interlaced image, else 1.
    int passes;
} csluice_png_shape;

/// Makes a reader; returns null if there is no memory for it.
/// Exists because libpng's limits, callbacks and ignored chunks are set by functions that can jump.
csluice_png_reader *_Nullable csluice_png_open(csluice_input input);

/// Makes a truncated file yield the rows that it has. Input is decompressed in such small pieces that hardly any bytes
/// are lost with the last, incomplete one.
/// Exists because it can jump.
csluice_status csluice_png_allow_truncation(csluice_png_reader *_Nonnull reader);

/// Reads up to the pixels, and requests rows of grey, RGB or RGBA with 8 or 16 bits.
/// Exists because it can jump.
csluice_status csluice_png_start(csluice_png_reader *_Nonnull reader, csluice_png_shape *_Nonnull shape);

/// Returns the embedded colour profile or null. The memory belongs to the reader.
/// Exists because libpng decompresses it within the limits.
const uint8_t *_Nullable csluice_png_profile(csluice_png_reader *_Nonnull reader, size_t *_Nonnull count);

/// Decodes one row of one pass. `row` holds the result of earlier passes; after the first pass, it is complete but
/// coarse.
/// Exists because it can jump.
csluice_status csluice_png_read_row(csluice_png_reader *_Nonnull reader, uint8_t *_Nonnull row);

/// Reads up to the end chunk, after the last row.
/// Exists because it can jump, and because only it detects a missing end chunk.
csluice_status csluice_png_finish(csluice_png_reader *_Nonnull reader);

/// The library's message for the failure, or for the first warning; empty if there was none.
const char *_Nonnull csluice_png_message(const csluice_png_reader *_Nonnull reader);

/// Frees the reader.
void csluice_png_close(csluice_png_reader *_Nonnull reader);

/// The settings for writing a PNG with 8 bits per sample.
typedef struct {
    int width, height;
    /// 1 is grey, 2 is grey with alpha, 3 is RGB, 4 is RGBA.
    int channels;
    /// zlib's compression level, 0 to 9.
    int level;
    /// The EXIF block, starting with the TIFF header; none if the count is 0.
    const uint8_t *_Nullable exif;
    size_t exif_count;
    /// The colour profile; none if the count is 0.
    const uint8_t *_Nullable profile;
    size_t profile_count;
} csluice_png_options;

/// Writes a whole PNG into memory that the caller frees; frees everything itself on failure.
/// Returns `unsupported` if libpng rejects the profile.
/// Exists because libpng jumps on error and requires C callbacks.
csluice_status csluice_png_write(const csluice_png_options *_Nonnull options, const uint8_t *_Nonnull pixels,
                                 uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull count);

/// Returns libpng's version at run time as a number, for example 10639.
/// Exists so that only this target needs libpng's header.
int csluice_png_version(void);
