// SPDX-License-Identifier: MIT
#include "tiff_pixels.h"

#include <string.h>

/// Reads the colours of a palette; some writers store 8 bits where the format has 16.
static bool read_palette(csluice_tiff_pixels *pixels, TIFF *file) {
    uint16_t *channels[3];
    if (pixels->bits > 8 ||
        !TIFFGetField(file, TIFFTAG_COLORMAP, &channels[0], &channels[1], &channels[2])) {
        return false;
    }
    int count = 1 << pixels->bits, shift = 0;
    for (int index = 0; index < count * 3; index++) {
        if (channels[index % 3][index / 3] > 255) shift = 8;
    }
    for (int index = 0; index < count * 3; index++) {
        pixels->color_table[index / 3][index % 3] = (uint8_t)(channels[index % 3][index / 3] >> shift);
    }
    return true;
}

csluice_tiff_fit csluice_tiff_pixels_init(csluice_tiff_pixels *pixels, TIFF *file, csluice_tiff_shape shape) {
    uint16_t samples = 1, bits = 1, planar = PLANARCONFIG_CONTIG, colors = 0, compression = 0, extras = 0;
    uint16_t format = SAMPLEFORMAT_UINT, *extra = NULL;
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &compression);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLEFORMAT, &format);
    if (!TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &colors)) {
        bool is_fax = compression >= COMPRESSION_CCITTRLE && compression <= COMPRESSION_CCITTFAX4;
        colors = samples >= 3 ? PHOTOMETRIC_RGB : is_fax ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK;
    }
    TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, &extras, &extra);
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID && colors != PHOTOMETRIC_CIELAB &&
        colors != PHOTOMETRIC_LOGL && colors != PHOTOMETRIC_LOGLUV) {
        return csluice_tiff_fit_none;
    }
    int wanted;
    switch (colors) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MASK: wanted = 1; break;
    case PHOTOMETRIC_RGB: wanted = 3; break;
    case PHOTOMETRIC_PALETTE: wanted = 1; break;
    case PHOTOMETRIC_SEPARATED: wanted = 4; break;
    case PHOTOMETRIC_YCBCR:
        if (compression != COMPRESSION_JPEG || planar != PLANARCONFIG_CONTIG || samples != 3 || bits != 8) {
            return csluice_tiff_fit_converted;
        }
        // libjpeg converts the colours and fills in missing ones.
        TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        wanted = 3;
        break;
    default: return csluice_tiff_fit_converted;
    }
    *pixels = (csluice_tiff_pixels){.samples = samples, .bits = bits, .planes = 1, .depth = shape.depth, .alpha = -1};
    if (planar == PLANARCONFIG_SEPARATE && samples > 1) pixels->planes = samples;
    pixels->channels = shape.channels;
    pixels->is_palette = colors == PHOTOMETRIC_PALETTE;
    // Rows of CMYK are inverted.
    pixels->is_inverted = colors == PHOTOMETRIC_MINISWHITE || colors == PHOTOMETRIC_SEPARATED;
    pixels->mixes_inks = wanted == 4 && !shape.has_inks;
    if (extras > 0 && !shape.has_inks && samples > wanted &&
        (extra[0] == EXTRASAMPLE_ASSOCALPHA || extra[0] == EXTRASAMPLE_UNASSALPHA)) {
        pixels->alpha = wanted;
        pixels->is_premultiplied = extra[0] == EXTRASAMPLE_ASSOCALPHA && wanted != 4;
    }
    int made = pixels->alpha >= 0 ? 4 : pixels->is_palette ? 3 : wanted - pixels->mixes_inks;
    bool is_deep = bits > 8 && wanted != 4;
    if (samples < wanted || bits < 1 || bits > 32 || made != shape.channels || (is_deep ? 16 : 8) != shape.depth) {
        return csluice_tiff_fit_none;
    }
    if (pixels->is_palette && !read_palette(pixels, file)) return csluice_tiff_fit_none;
    return csluice_tiff_fit_unpacked;
}

/// Reads a sample of a row.
static inline uint32_t load(const uint8_t *row, size_t index, int bits) {
    switch (bits) {
    case 8: return row[index];
    case 16: {
        uint16_t value;
        memcpy(&value, row + index * 2, 2);
        return value;
    }
    case 24: return row[index * 3] | row[index * 3 + 1] << 8 | (uint32_t)row[index * 3 + 2] << 16;
    case 32: {
        uint32_t value;
        memcpy(&value, row + index * 4, 4);
        return value;
    }
    default: break;
    }
    // libtiff leaves samples of other sizes packed, highest bit first.
    uint64_t value = 0;
    size_t first = index * bits;
    for (size_t bit = first; bit < first + bits; bit++) value = value << 1 | (row[bit / 8] >> (7 - bit % 8) & 1);
    return (uint32_t)value;
}

/// Scales a sample from its bits to 8 or 16 bits.
static inline uint32_t scale(uint32_t value, int bits, int depth) {
    if (bits == depth) return value;
    if (bits > depth) return value >> (bits - depth);
    uint32_t most = (1u << bits) - 1, peak = (1u << depth) - 1;
    return (value * peak + most / 2) / most;
}

static void unpack_pixel(const csluice_tiff_pixels *pixels, const uint8_t *row, size_t stride, size_t x,
                         uint32_t values[4]) {
    uint32_t peak = pixels->depth == 16 ? 65535 : 255;
    uint32_t samples[5];
    int count = pixels->alpha >= 0 ? pixels->alpha + 1 : pixels->channels;
    for (int sample = 0; sample < count; sample++) {
        uint32_t value = pixels->planes > 1 ? load(row + sample * stride, x, pixels->bits)
                                            : load(row, x * pixels->samples + sample, pixels->bits);
        samples[sample] = scale(value, pixels->bits, pixels->depth);
        if (pixels->is_inverted && sample != pixels->alpha) samples[sample] = peak - samples[sample];
    }
    bool is_grey = pixels->alpha == 1;
    for (int channel = 0; channel < pixels->channels; channel++) {
        if (pixels->alpha >= 0 && channel == 3) {
            values[channel] = samples[pixels->alpha];
            continue;
        }
        uint32_t value = samples[is_grey ? 0 : channel];
        if (pixels->mixes_inks) value = (value * samples[3] + peak / 2) / peak;
        if (pixels->is_premultiplied) {
            uint32_t alpha = samples[pixels->alpha];
            uint64_t straight = alpha ? ((uint64_t)value * peak + alpha / 2) / alpha : 0;
            value = straight > peak ? peak : (uint32_t)straight;
        }
        values[channel] = value;
    }
}

void csluice_tiff_pixels_unpack(const csluice_tiff_pixels *pixels, const uint8_t *row, size_t stride, uint32_t width,
                                uint8_t *out) {
    if (pixels->is_palette) {
        size_t step = pixels->planes > 1 ? 1 : pixels->samples;
        for (size_t x = 0; x < width; x++) {
            uint8_t *pixel = out + x * pixels->channels;
            memcpy(pixel, pixels->color_table[load(row, x * step, pixels->bits)], 3);
            if (pixels->alpha < 0) continue;
            uint32_t alpha = pixels->planes > 1 ? load(row + stride, x, pixels->bits) : load(row, x * step + 1, pixels->bits);
            pixel[3] = (uint8_t)scale(alpha, pixels->bits, 8);
        }
        return;
    }
    bool is_plain = pixels->planes == 1 && pixels->samples == pixels->channels && pixels->bits == pixels->depth &&
                    !pixels->is_inverted && !pixels->is_premultiplied;
    if (is_plain) {
        memcpy(out, row, (size_t)width * pixels->channels * pixels->depth / 8);
        return;
    }
    for (size_t x = 0; x < width; x++) {
        uint32_t values[4];
        unpack_pixel(pixels, row, stride, x, values);
        for (int channel = 0; channel < pixels->channels; channel++) {
            size_t index = x * pixels->channels + channel;
            if (pixels->depth == 16) {
                uint16_t value = (uint16_t)values[channel];
                memcpy(out + index * 2, &value, 2);
            } else {
                out[index] = (uint8_t)values[channel];
            }
        }
    }
}
