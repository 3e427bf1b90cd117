// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "codes.h"

/// A scan of the coefficients from `from` to `to` of one component.
typedef struct {
    int from, to;
    cjc_histogram histogram;
    cjc_table table;
    uint64_t bits;
} band_scan;

/// The scans after the first one of a component in a progressive image.
typedef struct {
    int count;
    band_scan scans[2];
    uint64_t bits;
} band_plan;

enum { scan_header_bits = 8 * 14 };

static void measure(const cjc_component *component, band_scan *scan, int from, int to) {
    *scan = (band_scan){.from = from, .to = to};
    cjc_send_band(component, from, to, &(cjc_sink){.histogram = &scan->histogram});
    cjc_make_table(&scan->table, &scan->histogram);
    scan->bits = cjc_table_bits(&scan->table, &scan->histogram, false) + scan_header_bits;
}

/// Finds the division into scans that takes the fewest bits.
static void plan_bands(const cjc_component *component, band_plan *best) {
    static const int cuts[] = {0, 2, 5};
    best->bits = UINT64_MAX;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        band_plan plan = {.count = cuts[i] == 0 ? 1 : 2};
        measure(component, &plan.scans[plan.count - 1], cuts[i] + 1, 63);
        if (plan.count == 2) measure(component, &plan.scans[0], 1, cuts[i]);
        for (int k = 0; k < plan.count; k++) plan.bits += plan.scans[k].bits;
        if (plan.bits < best->bits) *best = plan;
    }
}

/// Lets both chroma components have one scan with the same codes, if that takes fewer bits.
static bool share_codes(const cjc_component *components, band_plan *plans) {
    band_plan shared[2];
    for (int i = 0; i < 2; i++) {
        shared[i].count = 1;
        measure(&components[i], &shared[i].scans[0], 1, 63);
    }
    cjc_histogram sum = shared[0].scans[0].histogram;
    for (int i = 0; i < cjc_symbols; i++) sum.counts[i] += shared[1].scans[0].histogram.counts[i];
    cjc_table *table = &shared[0].scans[0].table;
    cjc_make_table(table, &sum);
    uint64_t bits = cjc_table_bits(table, &sum, false) + 2 * scan_header_bits;
    if (bits >= plans[0].bits + plans[1].bits) return false;
    shared[1].scans[0].table = *table;
    shared[0].bits = bits;
    shared[1].bits = 0;
    plans[0] = shared[0];
    plans[1] = shared[1];
    return true;
}

static void put_table(cjc_writer *writer, const cjc_table *table, int name) {
    cjc_put_word(writer, 0xFFC4);
    cjc_put_word(writer, 19 + table->count);
    cjc_put_byte(writer, name);
    cjc_put_bytes(writer, table->lengths + 1, cjc_max_code);
    cjc_put_bytes(writer, table->symbols, (size_t)table->count);
}

/// Starts a scan of `count` components from `first` on; chroma has the tables of number 1 if `count` is above 1.
static void put_scan(cjc_writer *writer, int first, int count, int from, int to) {
    const uint8_t header[] = {0xFF, 0xDA, 0, (uint8_t)(6 + 2 * count), (uint8_t)count};
    cjc_put_bytes(writer, header, sizeof header);
    for (int i = first; i < first + count; i++) {
        cjc_put_byte(writer, i + 1);
        cjc_put_byte(writer, count > 1 && i > 0 ? 0x11 : 0);
    }
    cjc_put_byte(writer, from);
    cjc_put_byte(writer, to);
    cjc_put_byte(writer, 0);
}

static void put_bands(cjc_writer *writer, const cjc_picture *picture, const band_plan *plans, bool areShared) {
    for (int i = 0; i < picture->count; i++) {
        for (int k = 0; k < plans[i].count; k++) {
            const band_scan *scan = &plans[i].scans[k];
            if (i < 2 || !areShared) put_table(writer, &scan->table, 0x10);
            put_scan(writer, i, 1, scan->from, scan->to);
            cjc_send_band(&picture->components[i], scan->from, scan->to,
                          &(cjc_sink){.table = &scan->table, .writer = writer});
            cjc_flush_bits(writer);
        }
    }
}

/// Puts a segment of metadata after a name, in parts if it is longer than a segment can be.
static void put_segments(cjc_writer *writer, int marker, const char *name, size_t name_size, const uint8_t *bytes,
                         size_t count) {
    const size_t most = 65519;
    size_t parts = (count + most - 1) / most;
    for (size_t part = 0; part < parts; part++) {
        size_t size = count - part * most < most ? count - part * most : most;
        cjc_put_word(writer, marker);
        cjc_put_word(writer, (int)(2 + name_size + (name_size > 0 ? 2 : 0) + size));
        cjc_put_bytes(writer, (const uint8_t *)name, name_size);
        if (name_size > 0) cjc_put_word(writer, (int)((part + 1) << 8 | parts));
        cjc_put_bytes(writer, bytes + part * most, size);
    }
}

static void put_header(cjc_writer *writer, const csluice_jpeg_options *options, const cjc_picture *picture,
                       const uint16_t tables[2][cjc_block], bool is_progressive) {
    static const uint8_t jfif[] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0};
    cjc_put_bytes(writer, jfif, sizeof jfif);
    put_segments(writer, 0xFFE1, "", 0, options->exif, options->exif_count);
    put_segments(writer, 0xFFE2, "ICC_PROFILE", 12, options->profile, options->profile_count);
    for (int i = 0; i < 2 && i < picture->count; i++) {
        cjc_put_bytes(writer, (const uint8_t[]){0xFF, 0xDB, 0, 67, (uint8_t)i}, 5);
        for (int k = 0; k < cjc_block; k++) cjc_put_byte(writer, tables[i][k]);
    }
    int height = options->height, width = options->width, count = picture->count;
    const int frame[] = {0xFF, is_progressive ? 0xC2 : 0xC0, 0, 8 + 3 * count, 8, height >> 8, height & 255,
                         width >> 8, width & 255, count};
    for (size_t i = 0; i < sizeof frame / sizeof *frame; i++) cjc_put_byte(writer, frame[i]);
    for (int i = 0; i < count; i++) {
        cjc_put_byte(writer, i + 1);
        cjc_put_byte(writer, picture->components[i].across << 4 | picture->components[i].down);
        cjc_put_byte(writer, i > 0);
    }
}

static void put_file(cjc_writer *writer, const csluice_jpeg_options *options, const cjc_picture *picture,
                     const uint16_t tables[2][cjc_block], band_plan plans[cjc_max_components]) {
    cjc_histogram dc[2] = {0}, ac[2] = {0};
    cjc_table dc_tables[2], ac_tables[2];
    cjc_sink dc_sinks[2] = {{.histogram = &dc[0]}, {.histogram = &dc[1]}};
    cjc_sink ac_sinks[2] = {{.histogram = &ac[0]}, {.histogram = &ac[1]}};
    cjc_send_mcus(picture, dc_sinks, ac_sinks);
    int kinds = picture->count == 1 ? 1 : 2;
    uint64_t baseline_bits = 0, progressive_bits = 0;
    for (int i = 0; i < kinds; i++) {
        cjc_make_table(&dc_tables[i], &dc[i]);
        cjc_make_table(&ac_tables[i], &ac[i]);
        baseline_bits += cjc_table_bits(&ac_tables[i], &ac[i], false) + 8 * 4;
        dc_sinks[i] = (cjc_sink){.table = &dc_tables[i], .writer = writer};
        ac_sinks[i] = (cjc_sink){.table = &ac_tables[i], .writer = writer};
    }
    for (int i = 0; i < picture->count; i++) plan_bands(&picture->components[i], &plans[i]);
    bool areShared = picture->count > 1 && share_codes(&picture->components[1], &plans[1]);
    for (int i = 0; i < picture->count; i++) progressive_bits += plans[i].bits;
    bool is_progressive = options->progressive || progressive_bits < baseline_bits;
    put_header(writer, options, picture, tables, is_progressive);
    for (int i = 0; i < kinds; i++) put_table(writer, &dc_tables[i], i);
    for (int i = 0; i < kinds && !is_progressive; i++) put_table(writer, &ac_tables[i], 0x10 | i);
    put_scan(writer, 0, picture->count, 0, is_progressive ? 0 : 63);
    cjc_send_mcus(picture, dc_sinks, is_progressive ? NULL : ac_sinks);
    cjc_flush_bits(writer);
    if (is_progressive) put_bands(writer, picture, plans, areShared);
    cjc_put_word(writer, 0xFFD9);
}

bool csluice_jpeg_write_compact(const csluice_jpeg_options *options, const uint8_t *pixels, uint8_t **out,
                                size_t *count) {
    cjc_picture picture = {0};
    cjc_writer writer = {0};
    band_plan *plans = malloc(cjc_max_components * sizeof *plans);
    uint16_t tables[2][cjc_block];
    cjc_make_tables(tables, options);
    // A bulge is invisible, but it costs bits that grow with its height in steps.
    int bulges = tables[0][0] < 16 ? 2 * tables[0][0] : 31;
    bool done = plans && cjc_picture_init(&picture, options, pixels, bulges);
    if (done) {
        cjc_picture_quantize(&picture, tables);
        put_file(&writer, options, &picture, tables, plans);
        done = !writer.failed;
    }
    cjc_picture_free(&picture);
    free(plans);
    if (!done) free(writer.file.bytes);
    *out = done ? writer.file.bytes : NULL;
    *count = writer.file.count;
    return done;
}
