// SPDX-License-Identifier: MIT
#include "csluice_jpeg_decoder.h"
#include "scans.h"

#include <stdlib.h>

static int divide_up(int value, int divisor) { return (value + divisor - 1) / divisor; }

static void plan(jpg_scans *scans, const jpg_header *header) {
    bool is_grey = header->component_count == 1;
    int most_across = is_grey ? 1 : header->components[0].across, most_down = is_grey ? 1 : header->components[0].down;
    scans->mcus_across = divide_up(header->width, most_across * 8);
    scans->mcus_down = divide_up(header->height, most_down * 8);
    for (int i = 0; i < header->component_count; i++) {
        jpg_coefficients *component = &scans->components[i];
        int across = is_grey ? 1 : header->components[i].across, down = is_grey ? 1 : header->components[i].down;
        component->across = divide_up(header->width * across, most_across * 8);
        component->down = divide_up(header->height * down, most_down * 8);
        component->padded_across = scans->mcus_across * across;
        component->padded_down = scans->mcus_down * down;
        component->batches_across = divide_up(scans->mcus_across, jpg_lanes) * across;
        memset(component->known_bits, -1, sizeof component->known_bits);
    }
}

static size_t batch_count(const jpg_coefficients *component) {
    return (size_t)component->batches_across * (size_t)component->padded_down;
}

/// A batch, the bits and the first coefficients of its blocks, and the number of coefficients in use.
static const size_t batch_bytes =
    sizeof(jpg_batch_block) + jpg_lanes * sizeof(uint64_t) + jpg_lanes * sizeof(int16_t) + 1;

size_t csluice_jpeg_decoder_component_bytes(int mcus_across, int mcus_down, int across, int down) {
    return (size_t)(divide_up(mcus_across, jpg_lanes) * across) * (size_t)(mcus_down * down) * batch_bytes;
}

static bool allocate(jpg_scans *scans, int count, size_t memory) {
    size_t total = 0;
    for (int i = 0; i < count; i++) total += batch_count(&scans->components[i]);
    scans->memory = total * batch_bytes <= memory ? calloc(total, batch_bytes) : NULL;
    if (!scans->memory) return false;
    jpg_batch_block *batches = scans->memory;
    uint64_t *nonzero = (uint64_t *)(batches + total);
    int16_t *first = (int16_t *)(nonzero + total * jpg_lanes);
    uint8_t *used = (uint8_t *)(first + total * jpg_lanes);
    for (int i = 0; i < count; i++) {
        jpg_coefficients *component = &scans->components[i];
        component->batches = batches;
        component->nonzero = nonzero;
        component->first = first;
        component->used = used;
        batches += batch_count(component);
        nonzero += batch_count(component) * jpg_lanes;
        first += batch_count(component) * jpg_lanes;
        used += batch_count(component);
    }
    return true;
}

/// Returns whether the scan adds the next bit of its coefficients, or their first ones.
static bool is_in_order(jpg_scans *scans, const jpg_scan *scan) {
    for (int i = 0; i < scan->component_count; i++) {
        int8_t *known = scans->components[scan->components[i]].known_bits;
        if (scan->first > 0 && known[0] < 0) return false;
        for (int k = scan->first; k <= scan->last; k++) {
            bool is_next = known[k] < 0 ? !scan->refines : scan->refines && known[k] == scan->low_bit + 1;
            if (!is_next) return false;
            known[k] = (int8_t)scan->low_bit;
        }
    }
    return true;
}

/// Builds the tables of a scan and forgets the state of the last one.
static bool begin_scan(jpg_scans *scans, const jpg_header *header) {
    const jpg_scan *scan = &header->scan;
    if (scans->scans_left-- == 0 || !is_in_order(scans, scan)) return false;
    for (int i = 0; i < scan->component_count; i++) {
        const jpg_component *component = &header->components[scan->components[i]];
        if (scan->first == 0 && scan->refines) continue;
        const jpg_huffman_spec *spec =
            scan->first == 0 ? &header->dc[component->dc_slot] : &header->ac[component->ac_slot];
        jpg_symbol_kind kind = scan->first == 0 ? jpg_dc_symbols
                               : scan->refines  ? jpg_refining_symbols
                                                : jpg_ac_symbols;
        if (!jpg_build_symbols(&scans->tables[i], spec, kind)) return false;
    }
    memset(scans->last_dc, 0, sizeof scans->last_dc);
    scans->row = scans->next_restart = 0;
    scans->end_run = 0;
    scans->restart_left = header->restart_interval;
    jpg_bits_restart(&scans->bits);
    return true;
}

bool jpg_scans_init(jpg_scans *scans, const jpg_header *header, csluice_stream *stream, size_t memory, int max_scans) {
    plan(scans, header);
    scans->scans_left = max_scans;
    jpg_bits_init(&scans->bits, stream);
    if (!allocate(scans, header->component_count, memory)) return false;
    if (begin_scan(scans, header)) return true;
    jpg_scans_free(scans);
    return false;
}

void jpg_scans_free(jpg_scans *scans) { free(scans->memory); }

jpg_scans_state jpg_scans_read_row(jpg_scans *scans, jpg_header *header) {
    const jpg_coefficients *only = &scans->components[header->scan.components[0]];
    bool is_single = header->scan.component_count == 1;
    if (!csluice_jpg_decode_row(scans, header, is_single ? only->across : scans->mcus_across)) return jpg_scans_doubt;
    if (++scans->row < (is_single ? only->down : scans->mcus_down)) return jpg_scans_more;
    if (scans->end_run != 0) return jpg_scans_doubt;
    switch (jpg_read_next_scan(scans->bits.stream, jpg_bits_finish(&scans->bits), header)) {
    case jpg_next_scan: return begin_scan(scans, header) ? jpg_scans_more : jpg_scans_doubt;
    case jpg_next_end: return jpg_scans_complete;
    case jpg_next_doubt: break;
    }
    return jpg_scans_doubt;
}
