// SPDX-License-Identifier: MIT
#include "planes.h"

#include <stdlib.h>

#include "idct.h"
#include "rows.h"

enum { vector = 16 };

static int divide_up(int value, int divisor) { return (value + divisor - 1) / divisor; }

/// Returns the size of a component's transform: libjpeg enlarges that of subsampled components where it can.
static int block_side(int eighths, int across, int down) {
    int side = eighths;
    while (side < 8 && eighths * across % (side * 2) == 0 && eighths * down % (side * 2) == 0) side *= 2;
    return side;
}

/// Chooses like libjpeg, which smooths except at 1/8 and in very narrow images.
static jpg_upsampling choose_upsampling(const jpg_plane *plane, int eighths, int across, int down) {
    int wider = across * eighths / plane->block_side, higher = down * eighths / plane->block_side;
    if (wider == 1) return jpg_upsampling_none;
    bool smooths = eighths > 1 && plane->width > 2;
    if (higher == 1) return smooths ? jpg_upsampling_smooth_across : jpg_upsampling_repeat_across;
    return smooths ? jpg_upsampling_smooth_both : jpg_upsampling_repeat_both;
}

bool jpg_planes_init(jpg_planes *planes, const jpg_header *header, int eighths, int bands_kept) {
    bool is_grey = header->component_count == 1;
    int most_across = is_grey ? 1 : header->components[0].across, most_down = is_grey ? 1 : header->components[0].down;
    planes->width = divide_up(header->width * eighths, 8);
    planes->height = divide_up(header->height * eighths, 8);
    planes->plane_count = header->component_count;
    planes->mcus_across = divide_up(header->width, most_across * 8);
    planes->band_height = most_down * eighths;
    size_t groups = (size_t)divide_up(planes->mcus_across, jpg_lanes), total = 0;
    size_t upsampled_stride = groups * jpg_lanes * (size_t)(most_across * 8);
    for (int i = 0; i < planes->plane_count; i++) {
        const jpg_component *component = &header->components[i];
        jpg_plane *plane = &planes->planes[i];
        plane->quantization = header->quantization[component->quantization_slot];
        plane->across = is_grey ? 1 : component->across;
        plane->down = is_grey ? 1 : component->down;
        plane->block_side = block_side(eighths, most_across / plane->across, most_down / plane->down);
        plane->width = divide_up(header->width * plane->across * plane->block_side, most_across * 8);
        plane->height = divide_up(header->height * plane->down * plane->block_side, most_down * 8);
        plane->band_height = plane->down * plane->block_side;
        plane->upsampling = choose_upsampling(plane, eighths, most_across / plane->across, most_down / plane->down);
        plane->stride = groups * jpg_lanes * (size_t)(plane->across * plane->block_side);
        plane->kept_height = plane->band_height * bands_kept;
        total += plane->stride * (size_t)plane->kept_height;
    }
    planes->memory = malloc(total + 2 * upsampled_stride);
    if (!planes->memory) return false;
    uint8_t *next = planes->memory;
    for (int i = 0; i < planes->plane_count; i++) {
        planes->planes[i].samples = next;
        next += planes->planes[i].stride * (size_t)planes->planes[i].kept_height;
    }
    for (int i = 0; i < 2; i++) planes->upsampled[i] = next + (size_t)i * upsampled_stride;
    return true;
}

void jpg_planes_free(jpg_planes *planes) { free(planes->memory); }

/// Returns the row of a plane; it must lie in one of the bands in memory.
static uint8_t *row_of(const jpg_plane *plane, int row) {
    return plane->samples + (size_t)(row % plane->kept_height) * plane->stride;
}

bool jpg_planes_transform(const jpg_planes *planes, jpg_blocks *blocks, int first_mcu, int band) {
    int batch = 0;
    for (int i = 0; i < planes->plane_count; i++) {
        const jpg_plane *plane = &planes->planes[i];
        for (int block = 0; block < plane->across * plane->down; block++, batch++) {
            int row = band * plane->band_height + block / plane->across * plane->block_side;
            int column = first_mcu * plane->across + block % plane->across * jpg_lanes;
            uint8_t *out = row_of(plane, row) + column * plane->block_side;
            bool is_sure = csluice_jpg_transform(blocks->batches[batch], plane->quantization, blocks->used[batch],
                                                  plane->block_side, out, plane->stride);
            if (!is_sure) return false;
            jpg_blocks_clear(blocks, batch);
        }
    }
    return true;
}

bool jpg_planes_transform_band(jpg_planes *planes, jpg_scans *scans, int band) {
    for (int i = 0; i < planes->plane_count; i++) {
        const jpg_plane *plane = &planes->planes[i];
        jpg_coefficients *component = &scans->components[i];
        for (int down = 0; down < plane->down; down++) {
            size_t first = (size_t)(band * plane->down + down) * (size_t)component->batches_across;
            uint8_t *out = row_of(plane, band * plane->band_height + down * plane->block_side);
            for (size_t batch = first; batch < first + (size_t)component->batches_across; batch++) {
                int16_t *values = component->batches[batch].values;
                memcpy(values, component->first + batch * jpg_lanes, jpg_lanes * sizeof *values);
                bool is_sure = csluice_jpg_transform(values, plane->quantization, component->used[batch],
                                                     plane->block_side, out, plane->stride);
                if (!is_sure) return false;
                out += jpg_lanes * plane->block_side;
            }
        }
    }
    return true;
}

int jpg_planes_ready_rows(const jpg_planes *planes, int bands) {
    int rows = bands * planes->band_height;
    if (rows >= planes->height) return planes->height;
    bool needs_next = planes->planes[planes->plane_count - 1].upsampling == jpg_upsampling_smooth_both;
    return needs_next && rows > 0 ? rows - 1 : rows;
}

/// Returns a row of samples for each pixel of an output row.
static const uint8_t *upsampled_row(const jpg_plane *plane, int row, uint8_t *out) {
    size_t count = (size_t)plane->width;
    switch (plane->upsampling) {
    case jpg_upsampling_none: return row_of(plane, row);
    case jpg_upsampling_repeat_across: csluice_jpg_repeat_samples(row_of(plane, row), out, count); break;
    case jpg_upsampling_repeat_both: csluice_jpg_repeat_samples(row_of(plane, row / 2), out, count); break;
    case jpg_upsampling_smooth_across: csluice_jpg_double_row(row_of(plane, row), out, count); break;
    case jpg_upsampling_smooth_both: {
        int near = row / 2, far = row % 2 == 0 ? near - 1 : near + 1;
        far = far < 0 ? 0 : far < plane->height ? far : plane->height - 1;
        csluice_jpg_double_rows(row_of(plane, near), row_of(plane, far), out, count);
    }
    }
    return out;
}

void jpg_planes_make_row(const jpg_planes *planes, int row, uint8_t *out) {
    const uint8_t *luma = row_of(&planes->planes[0], row);
    if (planes->plane_count == 1) {
        memcpy(out, luma, (size_t)planes->width);
        return;
    }
    const uint8_t *blue = upsampled_row(&planes->planes[1], row, planes->upsampled[0]);
    const uint8_t *red = upsampled_row(&planes->planes[2], row, planes->upsampled[1]);
    csluice_jpg_convert_row(luma, blue, red, out, (size_t)planes->width);
}
