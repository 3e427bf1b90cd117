// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csluice_input.h"
#include "csluice_status.h"

/// A reader of one page of a TIFF.
/// Exists because libtiff requires C callbacks, and reads and sets tags through functions with variable arguments.
typedef struct csluice_tiff_reader csluice_tiff_reader;

/// The dimensions and properties of a page's rows.
typedef struct {
    uint32_t width, height;
    /// 1 is grey, 3 is RGB, 4 is RGBA or inverted CMYK.
    int channels;
    /// 8 or 16; 16-bit samples are in the machine's byte order.
    int depth;
    /// Whether the channels are inverted CMYK.
    bool has_inks;
} csluice_tiff_shape;

/// Opens a TIFF; returns null if there is no memory for it.
/// `memory` limits each single allocation of libtiff, if its version can.
csluice_tiff_reader *_Nullable csluice_tiff_open(csluice_input input, size_t memory);

/// Reads the page whose directory is at an offset, and checks that it has rows of this shape.
csluice_status csluice_tiff_start(csluice_tiff_reader *_Nonnull reader, uint64_t directory,
                                  csluice_tiff_shape shape);

/// Decodes the next row of the page.
csluice_status csluice_tiff_read_row(csluice_tiff_reader *_Nonnull reader, uint8_t *_Nonnull row);

/// The library's message for the failure; empty if there was none.
const char *_Nonnull csluice_tiff_message(const csluice_tiff_reader *_Nonnull reader);

/// The library's first complaint about the pixels that did not stop it; empty if there was none.
const char *_Nonnull csluice_tiff_note(const csluice_tiff_reader *_Nonnull reader);

/// Frees the reader.
void csluice_tiff_close(csluice_tiff_reader *_Nonnull reader);

/// Returns the first line of libtiff's version at run time, for example `LIBTIFF, Version 4.5.0`.
const char *_Nonnull csluice_tiff_version(void);
