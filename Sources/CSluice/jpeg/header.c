// SPDX-License-Identifier: MIT
#include "header.h"

#include <string.h>

enum {
    marker_sof0 = 0xC0, marker_sof1 = 0xC1, marker_sof2 = 0xC2, marker_dht = 0xC4, marker_soi = 0xD8,
    marker_eoi = 0xD9, marker_sos = 0xDA, marker_dqt = 0xDB, marker_dri = 0xDD, marker_app0 = 0xE0,
    marker_app14 = 0xEE, marker_app15 = 0xEF, marker_com = 0xFE,
    max_side = 65500, max_low_bit = 13,
};

/// The content of the segment that is being read.
typedef struct {
    csluice_stream *stream;
    int left;
    /// Whether the content ended too early.
    bool is_short;
} segment_reader;

static int read_byte(segment_reader *segment) {
    uint8_t byte = 0;
    if (segment->left < 1 || !csluice_stream_read(segment->stream, &byte, 1)) {
        segment->is_short = true;
        return 0;
    }
    segment->left--;
    return byte;
}

static int read_word(segment_reader *segment) {
    int high = read_byte(segment);
    return high << 8 | read_byte(segment);
}

static void read_bytes(segment_reader *segment, uint8_t *bytes, int count) {
    if (segment->left < count || !csluice_stream_read(segment->stream, bytes, (size_t)count)) {
        segment->is_short = true;
        return;
    }
    segment->left -= count;
}

/// Reads the frame header; accepts 8-bit samples, and grey or three components.
static bool read_frame(segment_reader *segment, jpg_header *header) {
    if (header->component_count != 0 || read_byte(segment) != 8) return false;
    header->height = read_word(segment);
    header->width = read_word(segment);
    if (header->width < 1 || header->height < 1 || header->width > max_side || header->height > max_side) return false;
    int count = read_byte(segment);
    if (count != 1 && count != 3) return false;
    for (int i = 0; i < count; i++) {
        jpg_component *component = &header->components[i];
        component->id = read_byte(segment);
        int factors = read_byte(segment);
        component->across = factors >> 4;
        component->down = factors & 15;
        component->quantization_slot = read_byte(segment);
        if (component->quantization_slot >= jpg_table_slots) return false;
        for (int j = 0; j < i; j++) {
            if (header->components[j].id == component->id) return false;
        }
    }
    header->component_count = count;
    return true;
}

static bool read_quantization(segment_reader *segment, jpg_header *header) {
    while (segment->left > 0) {
        int slot = read_byte(segment);  // the upper half is the precision; 0 means 8 bits
        if (slot >= jpg_table_slots) return false;
        for (int i = 0; i < jpg_block_size; i++) {
            int value = read_byte(segment);
            if (value == 0) return false;
            header->quantization[slot][i] = (uint16_t)value;
        }
    }
    return true;
}

static bool read_huffman(segment_reader *segment, jpg_header *header) {
    while (segment->left > 0) {
        int slot = read_byte(segment);
        if ((slot & 15) >= jpg_table_slots || slot >> 4 > 1) return false;
        jpg_huffman_spec *spec = slot >> 4 == 0 ? &header->dc[slot] : &header->ac[slot & 15];
        memset(spec->symbols, 0, sizeof spec->symbols);
        read_bytes(segment, spec->counts, sizeof spec->counts);
        int count = 0;
        for (int i = 0; i < 16; i++) count += spec->counts[i];
        if (segment->is_short || count > 256) return false;
        read_bytes(segment, spec->symbols, count);
        spec->is_defined = true;
    }
    return true;
}

static bool read_restart_interval(segment_reader *segment, jpg_header *header) {
    header->restart_interval = read_word(segment);
    return true;
}

static bool skip_rest(segment_reader *segment) {
    csluice_stream_skip(segment->stream, (size_t)segment->left);
    segment->left = 0;
    return true;
}

/// libjpeg warns of major versions other than 1.
static bool read_app0(segment_reader *segment, jpg_header *header) {
    if (segment->left < 14) return skip_rest(segment);
    uint8_t start[6];
    read_bytes(segment, start, sizeof start);
    if (memcmp(start, "JFIF", 5) == 0) {
        if (start[5] != 1) return false;
        header->has_jfif = true;
    }
    return skip_rest(segment);
}

static bool read_app14(segment_reader *segment, jpg_header *header) {
    if (segment->left < 12) return skip_rest(segment);
    uint8_t start[12];
    read_bytes(segment, start, sizeof start);
    if (memcmp(start, "Adobe", 5) == 0) {
        header->has_adobe = true;
        header->adobe_transform = start[11];
    }
    return skip_rest(segment);
}

/// Whether the tables exist that a component of a scan needs.
static bool has_tables(const jpg_header *header, const jpg_component *component) {
    const jpg_scan *scan = &header->scan;
    bool needs_dc = scan->first == 0 && !scan->refines, needs_ac = scan->last > 0;
    if (needs_dc && !header->dc[component->dc_slot].is_defined) return false;
    if (needs_ac && !header->ac[component->ac_slot].is_defined) return false;
    return header->quantization[component->quantization_slot][0] != 0;
}

/// Whether the scan of a progressive image is one that libjpeg takes: the first coefficients alone, or others of a
/// single component.
static bool is_usual_scan(const jpg_scan *scan, int high_bit) {
    if (scan->first == 0 ? scan->last != 0 : scan->component_count != 1) return false;
    if (scan->last < scan->first || scan->last >= jpg_block_size || scan->low_bit > max_low_bit) return false;
    return high_bit == 0 || high_bit == scan->low_bit + 1;
}

/// Reads a scan header; accepts all components in the frame's order or, in a progressive image, a single one.
static bool read_scan(segment_reader *segment, jpg_header *header) {
    jpg_scan *scan = &header->scan;
    scan->component_count = read_byte(segment);
    bool has_all = scan->component_count == header->component_count;
    if (header->component_count == 0 || !(has_all || (header->is_progressive && scan->component_count == 1))) {
        return false;
    }
    for (int i = 0; i < scan->component_count; i++) {
        int index = i, id = read_byte(segment);
        if (!has_all) {
            while (index < header->component_count && header->components[index].id != id) index++;
        }
        if (index == header->component_count || header->components[index].id != id) return false;
        scan->components[i] = index;
        int slots = read_byte(segment);
        jpg_component *component = &header->components[index];
        component->dc_slot = slots >> 4;
        component->ac_slot = slots & 15;
        if (component->dc_slot >= jpg_table_slots || component->ac_slot >= jpg_table_slots) return false;
    }
    scan->first = read_byte(segment);
    scan->last = read_byte(segment);
    int bits = read_byte(segment);
    scan->low_bit = bits & 15;
    scan->refines = bits >> 4 != 0;
    bool is_whole = scan->first == 0 && scan->last == 63 && bits == 0;
    if (!(header->is_progressive ? is_usual_scan(scan, bits >> 4) : is_whole)) return false;
    for (int i = 0; i < scan->component_count; i++) {
        if (!has_tables(header, &header->components[scan->components[i]])) return false;
    }
    return true;
}

static bool read_segment(int marker, segment_reader *segment, jpg_header *header) {
    switch (marker) {
    case marker_sof0:
    case marker_sof1: return read_frame(segment, header);
    case marker_sof2: header->is_progressive = true; return read_frame(segment, header);
    case marker_dht: return read_huffman(segment, header);
    case marker_dqt: return read_quantization(segment, header);
    case marker_dri: return read_restart_interval(segment, header);
    case marker_sos: return read_scan(segment, header);
    case marker_app0: return read_app0(segment, header);
    case marker_app14: return read_app14(segment, header);
    case marker_com: return skip_rest(segment);
    default: return marker > marker_app0 && marker <= marker_app15 && skip_rest(segment);
    }
}

/// Returns the marker at the current position, after any 0xFF fill bytes; -1 if other data are there.
static int read_marker(csluice_stream *stream) {
    uint8_t byte;
    if (!csluice_stream_read(stream, &byte, 1) || byte != 0xFF) return -1;
    while (byte == 0xFF) {
        if (!csluice_stream_read(stream, &byte, 1)) return -1;
    }
    return byte;
}

/// Whether libjpeg would take three components for YCbCr.
static bool is_ycbcr(const jpg_header *header) {
    if (header->has_jfif) return true;
    if (header->has_adobe) return header->adobe_transform == 1;
    const jpg_component *components = header->components;
    return components[0].id == 1 && components[1].id == 2 && components[2].id == 3;
}

/// Whether the sampling factors are usual: chroma has one sample for 1x1, 2x1 or 2x2 pixels.
static bool has_usual_sampling(const jpg_header *header) {
    const jpg_component *components = header->components;
    for (int i = 0; i < header->component_count; i++) {
        if (components[i].across < 1 || components[i].across > 4 || components[i].down < 1 || components[i].down > 4) {
            return false;
        }
    }
    // The factors of a single component are relative to themselves.
    if (header->component_count == 1) return true;
    for (int i = 1; i < header->component_count; i++) {
        if (components[i].across != 1 || components[i].down != 1) return false;
    }
    return components[0].across <= 2 && components[0].down <= components[0].across;
}

/// Reads the content of a segment after its marker.
static bool read_whole_segment(csluice_stream *stream, int marker, jpg_header *header) {
    segment_reader segment = {.stream = stream, .left = 2};
    segment.left = read_word(&segment) - 2;
    return segment.left >= 0 && read_segment(marker, &segment, header) && !segment.is_short && segment.left == 0;
}

bool jpg_read_header(csluice_stream *stream, jpg_header *header) {
    memset(header, 0, sizeof *header);
    uint8_t start[2];
    if (!csluice_stream_read(stream, start, 2) || start[0] != 0xFF || start[1] != marker_soi) return false;
    int marker;
    do {
        marker = read_marker(stream);
        if (marker < 0 || !read_whole_segment(stream, marker, header)) return false;
    } while (marker != marker_sos);
    return has_usual_sampling(header) && (header->component_count == 1 || is_ycbcr(header));
}

jpg_next jpg_read_next_scan(csluice_stream *stream, int marker, jpg_header *header) {
    while (marker == marker_dht) {
        if (!read_whole_segment(stream, marker, header)) return jpg_next_doubt;
        marker = read_marker(stream);
    }
    if (marker == marker_eoi) return jpg_next_end;
    return marker == marker_sos && read_whole_segment(stream, marker, header) ? jpg_next_scan : jpg_next_doubt;
}
