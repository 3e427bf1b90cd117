// SPDX-License-Identifier: MIT
#pragma once
#include <zlib.h>

/// Begins to unpack gzip; the result is zlib's.
///
/// Exists because inflateInit2 is a macro, which Swift cannot call. 16 asks for gzip's header and nothing else.
static inline int czlib_begin_gunzip(z_stream *_Nonnull stream) { return inflateInit2(stream, 15 + 16); }

/// Begins to pack gzip; the result is zlib's.
///
/// Exists because deflateInit2 is a macro, which Swift cannot call.
static inline int czlib_begin_gzip(z_stream *_Nonnull stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
