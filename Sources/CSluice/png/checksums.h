// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Continues the CRC-32 of a PNG's chunk, which starts with 0.
uint32_t csluice_png_crc32(uint32_t checksum, const uint8_t *bytes, size_t count);

/// Continues the Adler-32 of a zlib stream, which starts with 1.
uint32_t csluice_png_adler32(uint32_t checksum, const uint8_t *bytes, size_t count);
