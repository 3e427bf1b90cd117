// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"
#include "tiff_pixels.h"

/// The way in which libtiff gives the pixels.
typedef enum {
    /// Row by row, with all samples of a pixel together.
    by_row,
    /// In strips, with a plane for each sample.
    by_strip,
    /// In tiles, with one or several planes.
    by_tile,
    /// In strips or tiles that libtiff converts to RGBA.
    converted,
} access_kind;

struct csluice_tiff_reader {
    csluice_input input;
    uint64_t position;
    TIFF *file;
    csluice_status status;
    char message[200], note[200];
    bool is_reading, has_disk_error;
    csluice_tiff_shape shape;
    access_kind access;
    csluice_tiff_pixels pixels;
    uint32_t next_row, tile_width, tile_across;
    /// The rows of a strip or tile, which all buffers hold.
    uint32_t band_rows;
    size_t row_bytes, unit_bytes, tile_row_bytes;
    /// The strips or tiles of a band; those of a plane follow each other.
    uint8_t *band;
    /// A row of each plane.
    uint8_t *row;
};

static tmsize_t read_bytes(thandle_t context, void *out, tmsize_t count) {
    csluice_tiff_reader *reader = context;
    tmsize_t done = 0;
    while (done < count) {
        ssize_t got = csluice_input_read(&reader->input, reader->position, (uint8_t *)out + done, count - done);
        if (got < 0) reader->has_disk_error = true;
        if (got <= 0) break;
        done += got;
        reader->position += got;
    }
    return done;
}

static tmsize_t write_bytes(thandle_t context, void *bytes, tmsize_t count) { return 0; }

static toff_t count_bytes(thandle_t context) {
    csluice_tiff_reader *reader = context;
    return reader->input.count + reader->input.tail_count;
}

static toff_t seek(thandle_t context, toff_t offset, int origin) {
    csluice_tiff_reader *reader = context;
    uint64_t start = origin == SEEK_CUR ? reader->position : origin == SEEK_END ? count_bytes(context) : 0;
    reader->position = start + offset;
    return reader->position;
}

static int close_file(thandle_t context) { return 0; }

#if TIFFLIB_VERSION >= 20221213
static void keep(char *text, size_t size, const char *format, va_list arguments) {
    if (!text[0]) vsnprintf(text, size, format, arguments);
}

static int keep_error(TIFF *file, void *context, const char *module, const char *format, va_list arguments) {
    csluice_tiff_reader *reader = context;
    keep(reader->message, sizeof reader->message, format, arguments);
    return 1;
}

static int keep_warning(TIFF *file, void *context, const char *module, const char *format, va_list arguments) {
    csluice_tiff_reader *reader = context;
    // Warnings about directories concern tags that Sluice does not use.
    if (reader->is_reading) keep(reader->note, sizeof reader->note, format, arguments);
    return 1;
}

static TIFF *open_file(csluice_tiff_reader *reader, size_t memory) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, memory);
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, reader);
    TIFFOpenOptionsSetWarningHandlerExtR(options, keep_warning, reader);
    // Without the first directory, which start() replaces, and without a map of the file.
    TIFF *file = TIFFClientOpenExt("TIFF", "rhm", reader, read_bytes, write_bytes, seek, close_file, count_bytes, NULL,
                                   NULL, options);
    TIFFOpenOptionsFree(options);
    return file;
}
#else
static TIFF *open_file(csluice_tiff_reader *reader, size_t memory) {
    // Older versions have handlers for the whole process only.
    TIFFSetErrorHandler(NULL);
    TIFFSetWarningHandler(NULL);
    return TIFFClientOpen("TIFF", "rhm", reader, read_bytes, write_bytes, seek, close_file, count_bytes, NULL, NULL);
}
#endif

csluice_tiff_reader *csluice_tiff_open(csluice_input input, size_t memory) {
    csluice_tiff_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->input = input;
    reader->file = open_file(reader, memory);
    return reader;
}

/// Returns a failure, with the library's text or else this one.
static csluice_status fail(csluice_tiff_reader *reader, csluice_status status, const char *message) {
    if (reader->has_disk_error) status = csluice_status_disk;
    if (!reader->message[0]) snprintf(reader->message, sizeof reader->message, "%s", message);
    reader->status = status;
    return status;
}

static void *allocate(size_t count, size_t size) {
    // Swift has counted this memory against the limit.
    return count && size ? calloc(count, size) : NULL;
}

/// Prepares for libtiff's own conversion to RGBA with 8 bits.
static csluice_status start_converted(csluice_tiff_reader *reader) {
    char message[1024] = "";
    if (reader->shape.channels != 3 || reader->shape.depth != 8) {
        return fail(reader, csluice_status_corrupt, "the page differs from its header");
    }
    // libtiff would turn the picture, which Sluice does later.
    TIFFSetField(reader->file, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    if (!TIFFRGBAImageOK(reader->file, message)) return fail(reader, csluice_status_unsupported, message);
    reader->access = converted;
    reader->row_bytes = (size_t)reader->tile_width * 4;
    reader->unit_bytes = reader->row_bytes * reader->band_rows;
    reader->band = allocate(reader->tile_across, reader->unit_bytes);
    return reader->band ? csluice_status_ok : fail(reader, csluice_status_memory, "no memory for the pixels");
}

/// Finds the size of strips or tiles; returns whether they can be.
static bool measure(csluice_tiff_reader *reader) {
    uint32_t width = reader->shape.width, height = reader->shape.height, rows = 0;
    if (TIFFIsTiled(reader->file)) {
        if (!TIFFGetField(reader->file, TIFFTAG_TILEWIDTH, &reader->tile_width) ||
            !TIFFGetField(reader->file, TIFFTAG_TILELENGTH, &rows) || !reader->tile_width || !rows) {
            return false;
        }
    } else {
        reader->tile_width = width;
        TIFFGetFieldDefaulted(reader->file, TIFFTAG_ROWSPERSTRIP, &rows);
        if (!rows) return false;
        if (rows > height) rows = height;
    }
    reader->band_rows = rows;
    reader->tile_across = width / reader->tile_width + (width % reader->tile_width != 0);
    return true;
}

/// Prepares for planes, or for samples of a pixel beside each other.
static csluice_status start_planes(csluice_tiff_reader *reader) {
    csluice_tiff_pixels *pixels = &reader->pixels;
    uint64_t samples = pixels->planes > 1 ? 1 : pixels->samples;
    uint64_t bits = samples * pixels->bits;
    tmsize_t row = 0, unit = 0;
    if (TIFFIsTiled(reader->file)) {
        reader->access = by_tile;
        row = TIFFTileRowSize(reader->file);
        unit = TIFFTileSize(reader->file);
        if (bits * reader->tile_width % 8 && reader->tile_across > 1) {
            return fail(reader, csluice_status_unsupported, "tiles of incomplete bytes");
        }
        if (unit / (row > 0 ? row : 1) < reader->band_rows) row = 0;
    } else {
        reader->access = pixels->planes > 1 ? by_strip : by_row;
        row = TIFFScanlineSize(reader->file);
        unit = pixels->planes > 1 ? TIFFStripSize(reader->file) : row;
        if (pixels->planes > 1 && unit / (row > 0 ? row : 1) < reader->band_rows) row = 0;
    }
    if (row <= 0 || (uint64_t)row < (bits * reader->tile_width + 7) / 8) {
        return fail(reader, csluice_status_corrupt, "rows of another size");
    }
    reader->tile_row_bytes = row;
    reader->unit_bytes = unit;
    reader->row_bytes = reader->tile_row_bytes * reader->tile_across;
    reader->row = allocate(pixels->planes, reader->row_bytes);
    reader->band =
        reader->access == by_row ? reader->row : allocate((size_t)pixels->planes * reader->tile_across, unit);
    return reader->row && reader->band ? csluice_status_ok
                                       : fail(reader, csluice_status_memory, "no memory for the pixels");
}

csluice_status csluice_tiff_start(csluice_tiff_reader *reader, uint64_t directory, csluice_tiff_shape shape) {
    if (!reader->file || !TIFFSetSubDirectory(reader->file, directory)) {
        return fail(reader, csluice_status_corrupt, "the directory is invalid");
    }
    reader->message[0] = 0;
    reader->shape = shape;
    uint32_t width = 0, height = 0;
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetField(reader->file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(reader->file, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(reader->file, TIFFTAG_COMPRESSION, &compression);
    if (width != shape.width || height != shape.height || !width || !height || !measure(reader)) {
        return fail(reader, csluice_status_corrupt, "the page differs from its header");
    }
    if (!TIFFIsCODECConfigured(compression)) {
        snprintf(reader->message, sizeof reader->message, "libtiff cannot read compression %d", compression);
        return fail(reader, csluice_status_unsupported, "");
    }
    csluice_tiff_fit fit = csluice_tiff_pixels_init(&reader->pixels, reader->file, shape);
    if (fit == csluice_tiff_fit_none) return fail(reader, csluice_status_corrupt, "the samples differ from the header");
    csluice_status status = fit == csluice_tiff_fit_converted ? start_converted(reader) : start_planes(reader);
    reader->is_reading = true;
    return status;
}

/// Reads the strips or tiles that contain the next row.
static bool read_band(csluice_tiff_reader *reader) {
    uint32_t y = reader->next_row;
    uint8_t *unit = reader->band;
    if (reader->access == converted) {
        if (!TIFFIsTiled(reader->file)) return TIFFReadRGBAStripExt(reader->file, y, (uint32_t *)unit, 1);
        for (uint32_t tile = 0; tile < reader->tile_across; tile++, unit += reader->unit_bytes) {
            if (!TIFFReadRGBATileExt(reader->file, tile * reader->tile_width, y, (uint32_t *)unit, 1)) return false;
        }
        return true;
    }
    for (uint16_t plane = 0; plane < reader->pixels.planes; plane++) {
        for (uint32_t tile = 0; tile < reader->tile_across; tile++, unit += reader->unit_bytes) {
            tmsize_t got;
            if (reader->access == by_tile) {
                uint32_t number = TIFFComputeTile(reader->file, tile * reader->tile_width, y, 0, plane);
                got = TIFFReadEncodedTile(reader->file, number, unit, reader->unit_bytes);
            } else {
                got = TIFFReadEncodedStrip(reader->file, TIFFComputeStrip(reader->file, y, plane), unit, -1);
            }
            if (got < 0) return false;
        }
    }
    return true;
}

/// Copies a row that libtiff converted; it stores the rows of a strip or tile from bottom to top.
static void copy_converted(const csluice_tiff_reader *reader, uint32_t row_in_band, uint8_t *out) {
    uint32_t rows = reader->band_rows, left = reader->shape.height - (reader->next_row - row_in_band);
    // The last strip is shorter, but tiles are whole.
    if (!TIFFIsTiled(reader->file) && left < rows) rows = left;
    const uint32_t *start = (const uint32_t *)reader->band + (size_t)(rows - 1 - row_in_band) * reader->tile_width;
    for (uint32_t x = 0; x < reader->shape.width; x++, out += 3) {
        size_t tile = x / reader->tile_width;
        uint32_t pixel = start[tile * (reader->unit_bytes / 4) + x % reader->tile_width];
        out[0] = TIFFGetR(pixel);
        out[1] = TIFFGetG(pixel);
        out[2] = TIFFGetB(pixel);
    }
}

csluice_status csluice_tiff_read_row(csluice_tiff_reader *reader, uint8_t *row) {
    if (reader->status != csluice_status_ok) return reader->status;
    uint32_t row_in_band = reader->next_row % reader->band_rows;
    if (reader->access == by_row) {
        if (TIFFReadScanline(reader->file, reader->row, reader->next_row, 0) < 0) {
            return fail(reader, csluice_status_corrupt, "a row is damaged");
        }
    } else if (row_in_band == 0 && !read_band(reader)) {
        return fail(reader, csluice_status_corrupt, "a strip or tile is damaged");
    }
    if (reader->access == converted) {
        copy_converted(reader, row_in_band, row);
    } else {
        if (reader->access != by_row) {
            const uint8_t *unit = reader->band + row_in_band * reader->tile_row_bytes;
            uint8_t *part = reader->row;
            for (size_t number = 0; number < (size_t)reader->pixels.planes * reader->tile_across; number++) {
                memcpy(part, unit, reader->tile_row_bytes);
                part += reader->tile_row_bytes;
                unit += reader->unit_bytes;
            }
        }
        csluice_tiff_pixels_unpack(&reader->pixels, reader->row, reader->row_bytes, reader->shape.width, row);
    }
    reader->next_row++;
    return csluice_status_ok;
}

const char *csluice_tiff_message(const csluice_tiff_reader *reader) { return reader->message; }

// A fax with an invalid code is an error without a failure.
const char *csluice_tiff_note(const csluice_tiff_reader *reader) {
    return reader->note[0] ? reader->note : reader->message;
}

void csluice_tiff_close(csluice_tiff_reader *reader) {
    if (reader->file) TIFFClose(reader->file);
    if (reader->band != reader->row) free(reader->band);
    free(reader->row);
    free(reader);
}

const char *csluice_tiff_version(void) { return TIFFGetVersion(); }
