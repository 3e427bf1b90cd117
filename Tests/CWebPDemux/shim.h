// SPDX-License-Identifier: MIT
#pragma once
#include <webp/demux.h>

/// Returns 1 if libwebp's demuxer accepts a whole file, or else 0.
///
/// Exists because Swift regards WebPData as a type of the module CWebP, which tests do not import.
static inline int cwebpdemux_accepts(const uint8_t *_Nullable bytes, size_t count) {
    WebPData data = {bytes, count};
    WebPDemuxer *demuxer = WebPDemux(&data);
    if (!demuxer) return 0;
    WebPDemuxDelete(demuxer);
    return 1;
}
