// SPDX-License-Identifier: MIT
#pragma once
#include <string.h>
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

/// Decodes a frame of an animation, as it looks on the canvas, into `rgba`; returns 1, or 0 if there is no such frame.
///
/// `facts` becomes the width, the height, the number of frames, the number of loops, and the frame's end in
/// milliseconds.
static inline int cwebpdemux_frame(const uint8_t *_Nonnull bytes, size_t count, int number, uint8_t *_Nonnull rgba,
                                   size_t capacity, int *_Nonnull facts) {
    WebPData data = {bytes, count};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
    if (!decoder) return 0;
    WebPAnimInfo info;
    uint8_t *canvas = NULL;
    int end = 0;
    int is_decoded = WebPAnimDecoderGetInfo(decoder, &info);
    for (int frame = 0; is_decoded && frame <= number; frame++) {
        is_decoded = WebPAnimDecoderGetNext(decoder, &canvas, &end);
    }
    size_t size = (size_t)info.canvas_width * info.canvas_height * 4;
    if (is_decoded && size <= capacity) {
        memcpy(rgba, canvas, size);
        facts[0] = (int)info.canvas_width;
        facts[1] = (int)info.canvas_height;
        facts[2] = (int)info.frame_count;
        facts[3] = (int)info.loop_count;
        facts[4] = end;
    }
    WebPAnimDecoderDelete(decoder);
    return is_decoded && size <= capacity;
}
