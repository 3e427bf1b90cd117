// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csluice_input.h"
#include "csluice_verdict.h"

/// A JPEG being decoded. It exists because libjpeg's state is a C struct with jumps in it.
typedef struct csluice_jpeg_reader csluice_jpeg_reader;

/// What the rows of a started JPEG are like.
typedef struct {
    int width, height;
    /// 1 is grey, 3 is RGB, 4 is CMYK.
    int channels;
    /// Whether the file comes from Adobe, whose CMYK stands upside down.
    bool adobe;
    /// Whether the picture comes in several scans, which `csluice_jpeg_absorb` must take in before there are rows.
    bool several_scans;
} csluice_jpeg_shape;

/// Makes a reader that may hold `memory` bytes; null if there is no memory for the reader itself.
/// Exists because libjpeg's error, source and memory managers are wired up in C.
csluice_jpeg_reader *_Nullable csluice_jpeg_open(csluice_input input, size_t memory);

/// Lets a file that ends early give the picture that it has, with grey for the rest, until `finish` fails as truncated.
/// Exists because libjpeg asks for more bytes in a callback, which may only be C.
void csluice_jpeg_salvage(csluice_jpeg_reader *_Nonnull reader);

/// Reads the file as if the bytes from `start` to before `end` were not in it; must come before `csluice_jpeg_start`, in
/// the file's order. Of very many such stretches the later ones are read all the same.
/// Exists because libjpeg decodes every scan that it is given.
void csluice_jpeg_leave_out(csluice_jpeg_reader *_Nonnull reader, size_t start, size_t end);

/// Reads the header and starts to decode at `eighths`/8 of the size.
/// Exists because reading a header jumps on error.
csluice_verdict csluice_jpeg_start(csluice_jpeg_reader *_Nonnull reader, int eighths,
                                   csluice_jpeg_shape *_Nonnull shape);

/// Takes in about one row of blocks of a picture with several scans; `done` when the file's end marker is reached.
/// Exists because libjpeg would otherwise take in the whole file in one call, which nothing could interrupt.
csluice_verdict csluice_jpeg_absorb(csluice_jpeg_reader *_Nonnull reader, int *_Nonnull scan, bool *_Nonnull done);

/// Makes rows of what was taken in; the step between `absorb` and `read_rows`.
/// Exists because it can jump.
csluice_verdict csluice_jpeg_start_rows(csluice_jpeg_reader *_Nonnull reader);

/// Decodes the next `count` rows, which must be there, one behind the other.
/// Exists because it can jump.
csluice_verdict csluice_jpeg_read_rows(csluice_jpeg_reader *_Nonnull reader, uint8_t *_Nonnull samples, int count);

/// Reads on to the end marker, after the last row.
/// Exists because it can jump, and because only it tells a whole file from one that lacks its end.
csluice_verdict csluice_jpeg_finish(csluice_jpeg_reader *_Nonnull reader);

/// The library's words on the failure, or on the first warning.
const char *_Nonnull csluice_jpeg_message(const csluice_jpeg_reader *_Nonnull reader);

/// How many warnings told of damage to the picture itself.
/// Exists because the numbers of libjpeg's warnings are an enum made by macros, which Swift cannot import.
int csluice_jpeg_damage(const csluice_jpeg_reader *_Nonnull reader);

/// How many warnings were harmless.
int csluice_jpeg_oddities(const csluice_jpeg_reader *_Nonnull reader);

/// Frees the reader.
void csluice_jpeg_close(csluice_jpeg_reader *_Nonnull reader);

/// How a JPEG is to be written.
typedef struct {
    int width, height;
    /// 1 is grey, 3 is RGB.
    int channels;
    int quality;
    bool progressive;
    /// How many pixels share one colour, side by side and one below the other: 1 or 2.
    int shared_across, shared_down;
    /// What stands in the APP1 segment, `Exif\0\0` first; nothing if the count is 0.
    const uint8_t *_Nullable exif;
    size_t exif_count;
    /// The colour profile, which may take several segments; nothing if the count is 0.
    const uint8_t *_Nullable profile;
    size_t profile_count;
} csluice_jpeg_plan;

/// Writes a whole JPEG into memory which the caller frees; nothing is left behind if it fails.
/// Exists because libjpeg jumps on error.
csluice_verdict csluice_jpeg_write(const csluice_jpeg_plan *_Nonnull plan, const uint8_t *_Nonnull pixels,
                                   uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull count);

/// libjpeg-turbo's version, as a number like 2001005.
/// Exists because the library has no function that tells it: this is the header's that it was built with.
int csluice_jpeg_version(void);
