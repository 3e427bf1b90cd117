// SPDX-License-Identifier: MIT
// Runs the C loops that Sluice compiles for several instruction sets on pseudo-random input, decodes the JPEGs
// and PNGs that its arguments name, and prints a checksum of the results of each. Scripts/arm-test compares the output
// of several machines.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "csluice_jpeg.h"
#include "csluice_jpeg_decoder.h"
#include "csluice_resample.h"
#include "jpeg/idct.h"
#include "jpeg/rows.h"
#include "png/checksums.h"
#include "png/inflate.h"
#include "png/unfilter.h"

enum { most = 4096, padding = 512 };

/// The CRC-32 of zlib, which is not installed for other machines.
uLong crc32_z(uLong checksum, const Bytef *bytes, z_size_t count) {
    uint32_t bits = ~(uint32_t)checksum;
    for (size_t i = 0; i < count; i++) {
        bits ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) bits = bits >> 1 ^ (bits & 1 ? 0xEDB88320 : 0);
    }
    return ~bits & 0xFFFFFFFF;
}

static uint64_t state = 88172645463325252;

static uint64_t random_bits(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void fill(void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint8_t *)bytes)[i] = (uint8_t)(random_bits() >> 32);
}

/// Fills samples with values from -1 to 1 that have few bits, as weights and 16-bit samples have.
static void fill_floats(float *samples, size_t count) {
    for (size_t i = 0; i < count; i++) samples[i] = (float)((int32_t)(random_bits() >> 40) - (1 << 23)) / (1 << 23);
}

static uint64_t checksum = 14695981039346656037u;

static void add(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) checksum = (checksum ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

static void print(const char *name) {
    printf("%-20s %016llx\n", name, (unsigned long long)checksum);
    checksum = 14695981039346656037u;
}

static const size_t counts[] = {3, 7, 16, 31, 64, 333, 1000};
static const size_t lengths = sizeof counts / sizeof *counts;

static void test_integers(void) {
    static uint16_t pairs[3 * most + padding];
    static uint8_t row[3 * most + padding], out[3 * most + padding];
    for (size_t n = 0; n < lengths; n++) {
        for (int channels = 1; channels <= 3; channels += 2) {
            for (int second = 0; second < 2; second++) {
                fill(row, sizeof row);
                csluice_pair_row(pairs, row, counts[n], channels, second);
                add(pairs, channels * counts[n] * sizeof *pairs);
            }
        }
    }
    print("pair_row");

    static uint16_t ring[8 * 1152];
    static int16_t weights[64], sums[most + padding];
    for (size_t n = 0; n < lengths; n++) {
        fill(ring, sizeof ring);
        for (size_t taps = 1; taps <= 7; taps += 2) {
            for (size_t i = 0; i < 2 * taps; i++) weights[i] = (int16_t)((int)(random_bits() % 4096) - 1024);
            csluice_ring rows = {ring, 1152, 8};
            csluice_vertical_int(rows, random_bits() % 8, weights, taps, sums, counts[n]);
            add(sums, counts[n] * sizeof *sums);
        }
    }
    print("vertical_int");

    static int32_t firsts[most];
    static int16_t many[64 * 1024];
    for (size_t n = 0; n < lengths; n++) {
        for (size_t taps = 8; taps <= 32; taps += 8) {
            for (size_t i = 0; i < most; i++) sums[i] = (int16_t)(random_bits() % 16384);
            for (size_t i = 0; i < most; i++) firsts[i] = (int32_t)(random_bits() % (most - 64));
            for (size_t i = 0; i < sizeof many / sizeof *many; i++) many[i] = (int16_t)((int)(random_bits() % 4096) - 1024);
            csluice_horizontal_int(sums, firsts, many, taps, out, counts[n]);
            add(out, counts[n]);
        }
        fill(row, sizeof row);
        csluice_interleave_rgb(row, most, out, counts[n]);
        add(out, 3 * counts[n]);
    }
    print("horizontal_int");
}

static void test_floats(void) {
    static float row[4 * most + padding], weights[4 * 64 * 1024], out[4 * most + padding];
    static uint16_t ring[8 * 1152];
    static uint8_t bytes[4 * most + padding];
    static int32_t firsts[most];
    for (size_t n = 0; n < lengths; n++) {
        fill(ring, sizeof ring);
        for (size_t taps = 1; taps <= 7; taps++) {
            fill_floats(weights, taps);
            csluice_ring rows = {ring, 1152, 8};
            csluice_vertical_float(rows, random_bits() % 8, weights, taps, out, counts[n]);
            add(out, counts[n] * sizeof *out);
        }
    }
    print("vertical_float");
    for (size_t n = 0; n < lengths; n++) {
        for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
            size_t taps = 4 * (1 + random_bits() % 8);
            fill_floats(row, sizeof row / sizeof *row);
            fill_floats(weights, sizeof weights / sizeof *weights);
            for (size_t i = 0; i < most; i++) firsts[i] = (int32_t)(random_bits() % (most - 64));
            csluice_horizontal_float(row, firsts, weights, taps, out, counts[n], channels);
            add(out, counts[n] * channels * sizeof *out);
        }
    }
    print("horizontal_float");
    for (size_t n = 0; n < lengths; n++) {
        fill_floats(row, sizeof row / sizeof *row);
        csluice_round_to_bytes(row, 300, bytes, counts[n]);
        add(bytes, counts[n]);
        csluice_unpremultiply_to_bytes(row, 0.75f, bytes, counts[n]);
        add(bytes, 4 * counts[n]);
    }
    print("round_to_bytes");
}

/// Transforms 16 blocks with coefficients up to `limit`; most of the larger ones are refused.
static void test_transform(int size, int used, int limit) {
    static int16_t batch[64 * 16];
    static uint16_t table[64];
    static uint8_t out[8 * 16 * 8];
    for (int i = 0; i < 64; i++) table[i] = (uint16_t)(1 + random_bits() % 255);
    memset(batch, 0, sizeof batch);
    for (int i = 0; i < used * 16; i++) {
        int16_t value = (int16_t)((int)(random_bits() % (2 * (unsigned)limit + 1)) - limit);
        // Photos have many zeros, without which large coefficients would all be refused.
        batch[i] = limit > 20 && random_bits() % 64 != 0 ? 0 : value;
    }
    memset(out, 0, sizeof out);
    bool is_sure = csluice_jpg_transform(batch, table, used, size, out, (size_t)(16 * size));
    add(&is_sure, 1);
    if (is_sure) add(out, sizeof out);
}

/// Transforms blocks with one product of coefficient and quantization, near the largest ones.
static void test_large_products(int size) {
    static int16_t batch[64 * 16];
    static uint16_t table[64];
    static uint8_t out[8 * 16 * 8];
    for (int product = 8189; product <= 8194; product++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int k = 0; k < 2; k++) {
                for (int i = 0; i < 64; i++) table[i] = 1;
                memset(batch, 0, sizeof batch);
                batch[k * 16 + 5] = (int16_t)(sign * product);
                memset(out, 0, sizeof out);
                bool is_sure = csluice_jpg_transform(batch, table, 2, size, out, (size_t)(16 * size));
                add(&is_sure, 1);
            }
        }
    }
}

static void test_jpeg_loops(void) {
    for (int size = 1; size <= 8; size *= 2) {
        for (int used = 1; used <= 64; used++) {
            for (int limit = 1; limit < 1 << 15; limit *= 2) test_transform(size, used, limit);
        }
        test_large_products(size);
    }
    print("transform");
    static uint8_t rows[3][most + padding], wide[3 * most + padding];
    for (size_t n = 0; n < lengths; n++) {
        fill(rows, sizeof rows);
        csluice_jpg_double_row(rows[0], wide, counts[n]);
        add(wide, 2 * counts[n]);
        csluice_jpg_double_rows(rows[0], rows[1], wide, counts[n]);
        add(wide, 2 * counts[n]);
        csluice_jpg_repeat_samples(rows[2], wide, counts[n]);
        add(wide, 2 * counts[n]);
        csluice_jpg_convert_row(rows[0], rows[1], rows[2], wide, counts[n]);
        add(wide, 3 * counts[n]);
    }
    print("rows");
}

static void test_png_loops(void) {
    static uint8_t filtered[most + padding], above[most + padding], row[most + padding];
    const size_t pixel_bytes[] = {1, 2, 3, 4, 6, 8};
    for (size_t n = 0; n < lengths; n++) {
        for (int filter = 0; filter < 6; filter++) {
            for (size_t p = 0; p < sizeof pixel_bytes / sizeof *pixel_bytes; p++) {
                size_t count = counts[n] * pixel_bytes[p] < most ? counts[n] * pixel_bytes[p] : most / 24 * 24;
                fill(filtered, sizeof filtered);
                memset(above, 0, sizeof above);
                memset(row, 0, sizeof row);
                fill(above + csluice_unfilter_padding, count);
                filtered[0] = (uint8_t)filter;
                bool is_known = csluice_unfilter(filtered, above + csluice_unfilter_padding,
                                                 row + csluice_unfilter_padding, count, pixel_bytes[p]);
                add(&is_known, 1);
                if (is_known) add(row + csluice_unfilter_padding, count);
            }
        }
        uint32_t sum = csluice_png_adler32(1, filtered, counts[n]);
        add(&sum, sizeof sum);
    }
    print("unfilter");
}

/// Decodes a JPEG at all sizes; one that the decoder gives up on counts as no rows.
static void test_jpeg(int descriptor, off_t count) {
    for (int eighths = 1; eighths <= 8; eighths *= 2) {
        csluice_input input = {.descriptor = descriptor, .count = (size_t)count};
        csluice_jpeg_shape shape;
        csluice_jpeg_decoder *decoder = csluice_jpeg_decoder_open(input, eighths, 1 << 28, 1000, NULL, 0, &shape);
        if (!decoder) continue;
        csluice_jpeg_decoder_state reading;
        do {
            reading = csluice_jpeg_decoder_read_scans(decoder);
        } while (reading == csluice_jpeg_decoder_reading);
        uint8_t *row = malloc((size_t)shape.width * shape.channels + padding);
        if (!row) abort();
        int done = 0;
        while (reading == csluice_jpeg_decoder_ready && done < shape.height &&
               csluice_jpeg_decoder_read_rows(decoder, row, 1) == 1) {
            add(row, (size_t)shape.width * shape.channels);
            done++;
        }
        add(&done, sizeof done);
        free(row);
        csluice_jpeg_decoder_close(decoder);
    }
}

/// Writes noise that becomes finer from top to bottom.
static void test_compact_jpeg(void) {
    enum { side = 77 };
    static uint8_t pixels[3 * side * side];
    for (int i = 0; i < 3 * side * side; i++) {
        int pixel = i / 3, last = pixel % side == 0 ? i : i - 3;
        int range = 1 + pixel / side;
        pixels[i] = (uint8_t)(pixels[last] + (int)(random_bits() % (unsigned)(2 * range)) - range);
    }
    for (int quality = 10; quality <= 100; quality += 30) {
        for (int shared = 1; shared <= 2; shared++) {
            csluice_jpeg_options options = {.width = side, .height = side, .channels = 3, .quality = quality,
                                            .shared_across = shared, .shared_down = shared};
            uint8_t *bytes;
            size_t count;
            if (!csluice_jpeg_write_compact(&options, pixels, &bytes, &count)) abort();
            add(bytes, count);
            free(bytes);
        }
    }
    print("compact_jpeg");
}

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

/// Decompresses the pixels of a PNG in pieces, up to the end of the stream.
static void test_png(int descriptor, off_t count) {
    enum { piece = 1000, signature = 8 };
    static csluice_stream stream;
    static csluice_chunks chunks;
    static csluice_inflate inflate;
    csluice_stream_init(&stream, (csluice_input){.descriptor = descriptor, .count = (size_t)count});
    csluice_stream_skip(&stream, signature);
    uint8_t head[8];
    while (csluice_stream_read(&stream, head, sizeof head) && memcmp(head + 4, "IDAT", 4)) {
        csluice_stream_skip(&stream, number(head) + 4);
    }
    csluice_chunks_init(&chunks, &stream, number(head), INT32_MAX);
    if (!csluice_inflate_init(&inflate, &chunks, piece)) abort();
    const uint8_t *bytes;
    while ((bytes = csluice_inflate_row(&inflate, piece))) add(bytes, piece);
    csluice_inflate_free(&inflate);
}

static bool test_file(const char *path) {
    int descriptor = open(path, O_RDONLY);
    off_t count = descriptor < 0 ? -1 : lseek(descriptor, 0, SEEK_END);
    uint8_t first = 0;
    if (count < 0 || pread(descriptor, &first, 1, 0) != 1) return false;
    (first == 0xFF ? test_jpeg : test_png)(descriptor, count);
    close(descriptor);
    const char *name = strrchr(path, '/');
    print(name ? name + 1 : path);
    return true;
}

int main(int count, char **arguments) {
    test_integers();
    test_floats();
    test_jpeg_loops();
    test_png_loops();
    test_compact_jpeg();
    for (int i = 1; i < count; i++) {
        if (!test_file(arguments[i])) return 1;
    }
    return 0;
}
