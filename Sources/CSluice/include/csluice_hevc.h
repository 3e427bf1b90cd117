// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csluice_status.h"

/// A decoder of one HEVC picture.
typedef struct csluice_hevc_decoder csluice_hevc_decoder;

/// A decoded picture, which is valid as long as its decoder.
typedef struct {
    int width, height;
    /// The bits per sample; samples of more than 8 bits take two bytes, the lower one first.
    int depth;
    /// 0 for grey, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    int chroma;
    bool is_full_range;
    /// The code point of the matrix, as in ITU-T H.273.
    int matrix;
    const uint8_t *_Nullable planes[3];
    /// The bytes from one row of a plane to the next.
    int row_bytes[3];
} csluice_hevc_picture;

/// Loads libde265 for this process, if that has not happened; returns whether it is there.
/// Exists because Sluice is not linked with libde265, so that it works without it.
bool csluice_hevc_load(void);

/// Returns the loaded library's version; null if it is not loaded.
const char *_Nullable csluice_hevc_version(void);

/// Makes a decoder that uses the calling thread only; returns null if there is no memory or no library.
csluice_hevc_decoder *_Nullable csluice_hevc_open(void);

/// Passes the decoder a NAL unit without its start code or length.
csluice_status csluice_hevc_push(csluice_hevc_decoder *_Nonnull decoder, const uint8_t *_Nonnull unit, size_t count);

/// Decodes the pushed units; returns `corrupt` also for damage that the library conceals.
csluice_status csluice_hevc_decode(csluice_hevc_decoder *_Nonnull decoder, csluice_hevc_picture *_Nonnull picture);

/// The library's message for the last failure.
const char *_Nonnull csluice_hevc_message(const csluice_hevc_decoder *_Nonnull decoder);

/// Frees the decoder and its picture.
void csluice_hevc_close(csluice_hevc_decoder *_Nonnull decoder);
