// SPDX-License-Identifier: MIT
#pragma once
#include <zlib.h>

/// Initialises a stream for decompressing gzip; returns zlib's result code.
///
/// Exists because inflateInit2 is a macro, which Swift cannot import. The added 16 accepts the gzip format only.
static inline int czlib_init_gunzip(z_stream *_Nonnull stream) { return inflateInit2(stream, 15 + 16); }

/// Initialises a stream for compressing with gzip; returns zlib's result code.
///
/// Exists because deflateInit2 is a macro, which Swift cannot import. Level 0 only frames the bytes.
static inline int czlib_init_gzip(z_stream *_Nonnull stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
