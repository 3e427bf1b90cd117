// SPDX-License-Identifier: MIT
#pragma once

#include "csluice_jpeg.h"

/// A decoder of usual baseline and progressive JPEGs, faster than libjpeg-turbo and with the same pixels.
///
/// It gives up on anything unusual or damaged, and libjpeg-turbo then decodes the file from the start: the rows up to
/// there are the same.
/// Exists because table look-ups and vectors of this kind are too slow in Swift.
typedef struct csluice_jpeg_decoder csluice_jpeg_decoder;

/// The memory in bytes for the coefficients of a progressive image's component.
///
/// The image has this number of MCUs, each of which has `across` times `down` blocks of the component.
size_t csluice_jpeg_decoder_component_bytes(int mcus_across, int mcus_down, int across, int down);

/// Reads the header and starts to decode at `eighths`/8 of the size, which is 1, 2, 4 or 8; returns null to give up.
///
/// It gives up on progressive images whose coefficients take more than `memory` bytes, and on those of more than
/// `max_scans` scans. The `skipped_count` ranges are scans to leave out, in ascending order.
csluice_jpeg_decoder *_Nullable csluice_jpeg_decoder_open(csluice_input input, int eighths, size_t memory,
                                                          int max_scans, const csluice_range *_Nullable skipped,
                                                          int skipped_count, csluice_jpeg_shape *_Nonnull shape);

typedef enum {
    csluice_jpeg_decoder_reading,
    csluice_jpeg_decoder_ready,
    csluice_jpeg_decoder_gave_up,
} csluice_jpeg_decoder_state;

/// Decodes a part of a progressive image's scans, so that callers can cancel between parts; rows can be read when the
/// state is ready.
csluice_jpeg_decoder_state csluice_jpeg_decoder_read_scans(csluice_jpeg_decoder *_Nonnull decoder);

/// Decodes the next `count` rows, which must exist, into consecutive memory; returns the number of rows before it gave
/// up, if it did.
int csluice_jpeg_decoder_read_rows(csluice_jpeg_decoder *_Nonnull decoder, uint8_t *_Nonnull samples, int count);

/// Returns whether the image ends with its end marker, after the last row; false to give up.
bool csluice_jpeg_decoder_finish(csluice_jpeg_decoder *_Nonnull decoder);

/// Frees the decoder.
void csluice_jpeg_decoder_close(csluice_jpeg_decoder *_Nonnull decoder);
