// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csluice_status.h"

/// A decoder of the first frame of a JPEG XL.
typedef struct csluice_jxl_decoder csluice_jxl_decoder;

/// The dimensions and properties of the pixels.
typedef struct {
    uint32_t width, height;
    /// 1 is grey, 3 is RGB, 4 is RGBA with unassociated alpha.
    uint32_t channels;
    /// 8 or 16; 16-bit samples are in the machine's byte order.
    uint32_t depth;
} csluice_jxl_shape;

/// Loads libjxl for this process, if that has not happened; returns whether it is there.
/// Exists because Sluice is not linked with libjxl, so that it works without it and with several of its versions.
bool csluice_jxl_load(void);

/// Returns the loaded library's version as `major * 1000000 + minor * 1000 + patch`; 0 if it is not loaded.
uint32_t csluice_jxl_version(void);

/// Makes a decoder of a file, whose bytes must stay in place; returns null if there is no memory or no library.
/// It uses the calling thread only.
csluice_jxl_decoder *_Nullable csluice_jxl_open(const uint8_t *_Nonnull bytes, size_t count);

/// Finds the size of the ICC profile that describes the decoded samples; 0 if there is none.
csluice_status csluice_jxl_find_profile(csluice_jxl_decoder *_Nonnull decoder, size_t *_Nonnull count);

/// Copies the profile that was found.
csluice_status csluice_jxl_copy_profile(csluice_jxl_decoder *_Nonnull decoder, uint8_t *_Nonnull profile,
                                        size_t count);

/// Decodes the first frame of a picture that has a shape, and reads the file to its end.
/// The rows in `pixels` have no gaps.
csluice_status csluice_jxl_decode(csluice_jxl_decoder *_Nonnull decoder, csluice_jxl_shape shape,
                                  uint8_t *_Nonnull pixels);

/// Frees the decoder.
void csluice_jxl_close(csluice_jxl_decoder *_Nonnull decoder);
