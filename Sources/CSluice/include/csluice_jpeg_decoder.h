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

/// Prepares a baseline image's decoder, before the first row, for strips that a second decoder of the same file reads.
///
/// Returns the number of rows of MCUs in a strip, which has at most `pixels` or a single row, and sets `mcu_rows` to
/// that of the image. Returns 0 unless a restart marker follows every row of MCUs, or fewer MCUs.
int csluice_jpeg_decoder_begin_strips(csluice_jpeg_decoder *_Nonnull decoder, size_t pixels, int *_Nonnull mcu_rows);

/// A position in the data of a baseline image.
typedef struct {
    /// The offset of the next byte to read, and the marker before it; 0 if there is none since the last interval.
    size_t offset;
    int marker;
    /// The row of MCUs that follows, the number of MCUs before a restart marker, and that marker's number.
    int mcu_row, restart_left, next_restart;
} csluice_jpeg_position;

/// Returns the position of a decoder that has begun strips.
csluice_jpeg_position csluice_jpeg_decoder_position(const csluice_jpeg_decoder *_Nonnull decoder);

/// Decodes the strip of `count` rows of MCUs from `first` on, from the data of `decoder`, for the rows of `target`.
///
/// Another thread may read rows of `target` meanwhile, up to those that need the strip. The strip may begin at most
/// two strips after the first one with rows that have not been read, and never before an earlier strip of `decoder`.
/// It does not contain the image's last row of MCUs. If `decoder` has read less than up to `position`, which is a strip
/// before this one, it continues there. Returns false to give up.
bool csluice_jpeg_decoder_read_strip(csluice_jpeg_decoder *_Nonnull decoder,
                                     const csluice_jpeg_decoder *_Nonnull target, csluice_jpeg_position position,
                                     int first, int count);

/// Continues after a strip that a second decoder has read, when all rows before it have been read; returns false to
/// give up.
bool csluice_jpeg_decoder_add_strip(csluice_jpeg_decoder *_Nonnull decoder, int count);

/// Returns the number of rows of the image that can be read if this number of rows of MCUs are decoded.
int csluice_jpeg_decoder_ready_rows(const csluice_jpeg_decoder *_Nonnull decoder, int mcu_rows);

/// Returns whether the image ends with its end marker, after the last row; false to give up.
bool csluice_jpeg_decoder_finish(csluice_jpeg_decoder *_Nonnull decoder);

/// Frees the decoder.
void csluice_jpeg_decoder_close(csluice_jpeg_decoder *_Nonnull decoder);
