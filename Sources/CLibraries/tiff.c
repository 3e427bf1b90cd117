// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <stdarg.h>

#include <tiffio.h>

#include "forward.h"

#define TIFFS(type, name, parameters, arguments) FORWARD(clibraries_tiff, type, name, parameters, arguments)

/// Defines a function with variable arguments through the one of the library that takes a list of them.
#define TIFFS_LIST(name, list_name)                                           \
    HIDDEN int name(TIFF *file, uint32_t tag, ...) {                          \
        va_list arguments;                                                    \
        va_start(arguments, tag);                                             \
        int result = LOADED(clibraries_tiff, list_name)(file, tag, arguments); \
        va_end(arguments);                                                    \
        return result;                                                        \
    }

TIFFS(const char *, TIFFGetVersion, (void), ())
TIFFS(TIFF *, TIFFClientOpen,
      (const char *name, const char *mode, thandle_t context, TIFFReadWriteProc read, TIFFReadWriteProc write,
       TIFFSeekProc seek, TIFFCloseProc close, TIFFSizeProc size, TIFFMapFileProc map, TIFFUnmapFileProc unmap),
      (name, mode, context, read, write, seek, close, size, map, unmap))
#if TIFFLIB_VERSION >= 20221213
TIFFS(TIFFOpenOptions *, TIFFOpenOptionsAlloc, (void), ())
TIFFS(void, TIFFOpenOptionsFree, (TIFFOpenOptions *options), (options))
TIFFS(void, TIFFOpenOptionsSetMaxSingleMemAlloc, (TIFFOpenOptions *options, tmsize_t most), (options, most))
TIFFS(void, TIFFOpenOptionsSetErrorHandlerExtR, (TIFFOpenOptions *options, TIFFErrorHandlerExtR handle, void *context),
      (options, handle, context))
TIFFS(void, TIFFOpenOptionsSetWarningHandlerExtR,
      (TIFFOpenOptions *options, TIFFErrorHandlerExtR handle, void *context), (options, handle, context))
TIFFS(TIFF *, TIFFClientOpenExt,
      (const char *name, const char *mode, thandle_t context, TIFFReadWriteProc read, TIFFReadWriteProc write,
       TIFFSeekProc seek, TIFFCloseProc close, TIFFSizeProc size, TIFFMapFileProc map, TIFFUnmapFileProc unmap,
       TIFFOpenOptions *options),
      (name, mode, context, read, write, seek, close, size, map, unmap, options))
#else
TIFFS(TIFFErrorHandler, TIFFSetErrorHandler, (TIFFErrorHandler handle), (handle))
TIFFS(TIFFErrorHandler, TIFFSetWarningHandler, (TIFFErrorHandler handle), (handle))
#endif
TIFFS(void, TIFFClose, (TIFF *file), (file))
TIFFS(int, TIFFSetSubDirectory, (TIFF *file, uint64_t offset), (file, offset))
TIFFS(int, TIFFIsCODECConfigured, (uint16_t compression), (compression))
TIFFS_LIST(TIFFGetField, TIFFVGetField)
TIFFS_LIST(TIFFGetFieldDefaulted, TIFFVGetFieldDefaulted)
TIFFS_LIST(TIFFSetField, TIFFVSetField)
TIFFS(int, TIFFIsTiled, (TIFF *file), (file))
TIFFS(tmsize_t, TIFFScanlineSize, (TIFF *file), (file))
TIFFS(tmsize_t, TIFFStripSize, (TIFF *file), (file))
TIFFS(tmsize_t, TIFFTileSize, (TIFF *file), (file))
TIFFS(tmsize_t, TIFFTileRowSize, (TIFF *file), (file))
TIFFS(uint32_t, TIFFComputeStrip, (TIFF *file, uint32_t row, uint16_t sample), (file, row, sample))
TIFFS(uint32_t, TIFFComputeTile, (TIFF *file, uint32_t x, uint32_t y, uint32_t z, uint16_t sample),
      (file, x, y, z, sample))
TIFFS(int, TIFFReadScanline, (TIFF *file, void *bytes, uint32_t row, uint16_t sample), (file, bytes, row, sample))
TIFFS(tmsize_t, TIFFReadEncodedStrip, (TIFF *file, uint32_t strip, void *bytes, tmsize_t count),
      (file, strip, bytes, count))
TIFFS(tmsize_t, TIFFReadEncodedTile, (TIFF *file, uint32_t tile, void *bytes, tmsize_t count),
      (file, tile, bytes, count))
TIFFS(int, TIFFRGBAImageOK, (TIFF *file, char message[1024]), (file, message))
TIFFS(int, TIFFReadRGBAStripExt, (TIFF *file, uint32_t row, uint32_t *pixels, int stops), (file, row, pixels, stops))
TIFFS(int, TIFFReadRGBATileExt, (TIFF *file, uint32_t x, uint32_t y, uint32_t *pixels, int stops),
      (file, x, y, pixels, stops))

#endif
