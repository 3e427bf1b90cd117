// SPDX-License-Identifier: MIT
#pragma once

#include "csluice_jpeg.h"

/// A decoder of usual baseline JPEGs, faster than libjpeg-turbo and with the same pixels.
///
/// It gives up on anything unusual or damaged, and libjpeg-turbo then decodes the file from the start: the rows up to
/// there are the same.
/// Exists because table look-ups and vectors of this kind are too slow in Swift.
typedef struct csluice_jpeg_decoder csluice_jpeg_decoder;

/// Reads the header and starts to decode at `eighths`/8 of the size, which is 1, 2, 4 or 8; returns null to give up.
csluice_jpeg_decoder *_Nullable csluice_jpeg_decoder_open(csluice_input input, int eighths,
                                                          csluice_jpeg_shape *_Nonnull shape);

/// Decodes the next `count` rows, which must exist, into consecutive memory; returns the number of rows before it gave
/// up, if it did.
int csluice_jpeg_decoder_read_rows(csluice_jpeg_decoder *_Nonnull decoder, uint8_t *_Nonnull samples, int count);

/// Returns whether the image ends with its end marker, after the last row; false to give up.
bool csluice_jpeg_decoder_finish(csluice_jpeg_decoder *_Nonnull decoder);

/// Frees the decoder.
void csluice_jpeg_decoder_close(csluice_jpeg_decoder *_Nonnull decoder);
