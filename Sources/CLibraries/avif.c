// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <avif/avif.h>

#include "forward.h"

#define AVIF(type, name, parameters, arguments) FORWARD(clibraries_avif, type, name, parameters, arguments)

// These functions return nothing before libavif 1.0, and a result since then.
typedef __typeof__(avifImageSetProfileICC(NULL, NULL, 0)) profile_result;
typedef __typeof__(avifImageSetMetadataExif(NULL, NULL, 0)) exif_result;

AVIF(const char *, avifVersion, (void), ())
AVIF(const char *, avifCodecName, (avifCodecChoice choice, avifCodecFlags flags), (choice, flags))
AVIF(const char *, avifResultToString, (avifResult result), (result))
AVIF(void, avifRWDataFree, (avifRWData *data), (data))
AVIF(avifImage *, avifImageCreate, (uint32_t width, uint32_t height, uint32_t depth, avifPixelFormat format),
     (width, height, depth, format))
AVIF(void, avifImageDestroy, (avifImage *image), (image))
AVIF(profile_result, avifImageSetProfileICC, (avifImage *image, const uint8_t *bytes, size_t count),
     (image, bytes, count))
AVIF(exif_result, avifImageSetMetadataExif, (avifImage *image, const uint8_t *bytes, size_t count),
     (image, bytes, count))
AVIF(void, avifRGBImageSetDefaults, (avifRGBImage *pixels, const avifImage *image), (pixels, image))
AVIF(avifResult, avifImageRGBToYUV, (avifImage *image, const avifRGBImage *pixels), (image, pixels))
AVIF(avifResult, avifImageYUVToRGB, (const avifImage *image, avifRGBImage *pixels), (image, pixels))
AVIF(avifDecoder *, avifDecoderCreate, (void), ())
AVIF(void, avifDecoderDestroy, (avifDecoder *decoder), (decoder))
AVIF(avifResult, avifDecoderSetIOMemory, (avifDecoder *decoder, const uint8_t *bytes, size_t count),
     (decoder, bytes, count))
AVIF(avifResult, avifDecoderParse, (avifDecoder *decoder), (decoder))
AVIF(avifResult, avifDecoderNextImage, (avifDecoder *decoder), (decoder))
AVIF(avifEncoder *, avifEncoderCreate, (void), ())
AVIF(void, avifEncoderDestroy, (avifEncoder *encoder), (encoder))
AVIF(avifResult, avifEncoderWrite, (avifEncoder *encoder, const avifImage *image, avifRWData *output),
     (encoder, image, output))

#endif
