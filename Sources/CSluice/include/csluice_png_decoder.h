// SPDX-License-Identifier: MIT
#pragma once

#include "csluice_png.h"

/// A decoder of usual PNGs, faster than libpng and with the same pixels.
///
/// libpng reads everything up to the pixels. The decoder gives up on anything unusual or damaged, and libpng then
/// decodes the file from the start: the rows up to there are the same.
/// Exists because table look-ups and vectors of this kind are too slow in Swift.
typedef struct csluice_png_decoder csluice_png_decoder;

/// Continues a reader that was started and must live longer; returns null to give up before anything is read.
csluice_png_decoder *_Nullable csluice_png_decoder_open(csluice_png_reader *_Nonnull reader);

/// Decodes the next row, which must exist; returns false to give up.
/// It checks the rest of the file before the last row.
bool csluice_png_decoder_read_row(csluice_png_decoder *_Nonnull decoder, uint8_t *_Nonnull row);

/// Frees the decoder.
void csluice_png_decoder_close(csluice_png_decoder *_Nonnull decoder);
