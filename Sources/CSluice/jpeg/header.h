// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "../stream.h"

enum { jpg_max_components = 3, jpg_table_slots = 4, jpg_block_size = 64 };

/// A Huffman table as the file states it.
typedef struct {
    bool is_defined;
    /// The number of codes of each length from 1 to 16 bits.
    uint8_t counts[16];
    uint8_t symbols[256];
} jpg_huffman_spec;

typedef struct {
    int id;
    /// The sampling factors.
    int across, down;
    int quantization_slot, dc_slot, ac_slot;
} jpg_component;

/// The components and coefficients that a scan contains.
typedef struct {
    int component_count;
    int components[jpg_max_components];
    /// The first and the last coefficient, and the lowest bit of these.
    int first, last, low_bit;
    /// Whether the scan adds one bit to coefficients of earlier scans.
    bool refines;
} jpg_scan;

/// The values of the segments before a scan.
typedef struct {
    bool is_progressive;
    int width, height;
    int component_count;
    jpg_component components[jpg_max_components];
    /// The number of MCUs between restart markers; 0 for a file without restart markers.
    int restart_interval;
    /// In zigzag order; values are from 1 to 255, and 0 marks an undefined table.
    uint16_t quantization[jpg_table_slots][jpg_block_size];
    jpg_huffman_spec dc[jpg_table_slots], ac[jpg_table_slots];
    jpg_scan scan;
    bool has_jfif, has_adobe;
    int adobe_transform;
} jpg_header;

/// Reads all segments up to the first scan's data.
///
/// Returns false for anything but a usual JPEG, baseline or progressive, grey or YCbCr, whose segments libjpeg reads
/// without a warning.
bool jpg_read_header(csluice_stream *stream, jpg_header *header);

typedef enum { jpg_next_scan, jpg_next_end, jpg_next_doubt } jpg_next;

/// Reads the segments up to the next scan's data or the end marker, after the first one's marker; before these may only
/// be tables.
jpg_next jpg_read_next_scan(csluice_stream *stream, int marker, jpg_header *header);
