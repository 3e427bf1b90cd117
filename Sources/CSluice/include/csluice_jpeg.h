// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csluice_input.h"
#include "csluice_status.h"

/// A JPEG decompressor.
/// Exists because libjpeg's state is a C struct that contains jump buffers.
typedef struct csluice_jpeg_reader csluice_jpeg_reader;

/// The dimensions and properties of a started JPEG's rows.
typedef struct {
    int width, height;
    /// 1 is grey, 3 is RGB, 4 is CMYK, of which 255 means no ink: browsers read all files so, as Photoshop wrote them.
    int channels;
    /// Whether the image has several scans, which `csluice_jpeg_consume` must read before there are rows.
    bool several_scans;
} csluice_jpeg_shape;

/// Makes a reader that may use `memory` bytes; returns null if there is no memory for the reader itself.
/// Exists because libjpeg's error, source and memory managers are set up in C.
csluice_jpeg_reader *_Nullable csluice_jpeg_open(csluice_input input, size_t memory);

/// Makes a truncated file yield its image, with grey for the rest; `finish` still reports the truncation.
/// Exists because libjpeg requests more bytes through a callback, which must be C.
void csluice_jpeg_allow_truncation(csluice_jpeg_reader *_Nonnull reader);

/// Skips the bytes from `start` to before `end`; call before `csluice_jpeg_start`, in file order. Above
/// `csluice_max_skipped_ranges`, further ranges are not skipped.
/// Exists because libjpeg decodes every scan that it is given.
void csluice_jpeg_skip_range(csluice_jpeg_reader *_Nonnull reader, size_t start, size_t end);

/// Reads the header and starts to decode at `eighths`/8 of the size.
/// Exists because reading a header jumps on error.
csluice_status csluice_jpeg_start(csluice_jpeg_reader *_Nonnull reader, int eighths,
                                  csluice_jpeg_shape *_Nonnull shape);

/// Reads about one row of blocks of a multi-scan image; sets `done` at the file's end marker.
/// Exists because libjpeg would otherwise read the whole file in one call, which could not be interrupted.
csluice_status csluice_jpeg_consume(csluice_jpeg_reader *_Nonnull reader, int *_Nonnull scan, bool *_Nonnull done);

/// Starts row output after all scans; call between `consume` and `read_rows`.
/// Exists because it can jump.
csluice_status csluice_jpeg_start_rows(csluice_jpeg_reader *_Nonnull reader);

/// Decodes the next `count` rows, which must exist, into consecutive memory.
/// Exists because it can jump.
csluice_status csluice_jpeg_read_rows(csluice_jpeg_reader *_Nonnull reader, uint8_t *_Nonnull samples, int count);

/// Reads up to the end marker, after the last row.
/// Exists because it can jump, and because only it detects a missing end marker.
csluice_status csluice_jpeg_finish(csluice_jpeg_reader *_Nonnull reader);

/// The library's message for the failure, or for the first warning.
const char *_Nonnull csluice_jpeg_message(const csluice_jpeg_reader *_Nonnull reader);

/// The number of warnings about damage to the image itself.
/// Exists because libjpeg's warning numbers are an enum built by macros, which Swift cannot import.
int csluice_jpeg_damage_count(const csluice_jpeg_reader *_Nonnull reader);

/// The number of harmless warnings.
int csluice_jpeg_harmless_count(const csluice_jpeg_reader *_Nonnull reader);

/// Frees the reader.
void csluice_jpeg_close(csluice_jpeg_reader *_Nonnull reader);

/// The settings for writing a JPEG.
typedef struct {
    int width, height;
    /// 1 is grey, 3 is RGB.
    int channels;
    int quality;
    bool progressive;
    /// The number of pixels that share one chroma sample, horizontally and vertically: 1 or 2.
    int shared_across, shared_down;
    /// The content of the APP1 segment, starting with `Exif\0\0`; none if the count is 0.
    const uint8_t *_Nullable exif;
    size_t exif_count;
    /// The colour profile, which may take several segments; none if the count is 0.
    const uint8_t *_Nullable profile;
    size_t profile_count;
} csluice_jpeg_options;

/// Writes a whole JPEG into memory that the caller frees; frees everything itself on failure.
/// Exists because libjpeg jumps on error.
csluice_status csluice_jpeg_write(const csluice_jpeg_options *_Nonnull options, const uint8_t *_Nonnull pixels,
                                  uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull count);

/// Writes the smallest JPEG of its looks that Sluice can, which takes several times as long as `csluice_jpeg_write`.
///
/// A quality looks as good as that of `csluice_jpeg_write`. Files are progressive where that is smaller, or if asked
/// for. The bytes are the same on every machine. Returns false if there is no memory.
/// Exists because bits, vectors and searches of this kind are too slow in Swift.
bool csluice_jpeg_write_compact(const csluice_jpeg_options *_Nonnull options, const uint8_t *_Nonnull pixels,
                                uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull count);

/// Returns libjpeg-turbo's version as a number, for example 2001005.
/// Exists because the library has no function for it; this is the version of the header used at build time.
int csluice_jpeg_version(void);
