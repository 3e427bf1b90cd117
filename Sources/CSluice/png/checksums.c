// SPDX-License-Identifier: MIT
#include "checksums.h"

#include <zlib.h>

#include "../dispatch.h"

uint32_t csluice_png_crc32(uint32_t checksum, const uint8_t *bytes, size_t count) {
    return (uint32_t)crc32_z(checksum, bytes, count);
}

enum {
    adler_modulus = 65521,
    adler_lanes = 32,
    /// As many steps as fit into 32 bits between divisions.
    adler_steps = 160,
};

/// Adler-32 is the sum of the bytes, and the sum of these sums after each byte. The bytes of a step are added in lanes,
/// which compilers make vectors of.
INLINE uint32_t png_adler32(uint32_t checksum, const uint8_t *bytes, size_t count) {
    uint64_t sum = checksum & 0xFFFF, sums = checksum >> 16;
    while (count >= adler_lanes) {
        size_t steps = count / adler_lanes < adler_steps ? count / adler_lanes : adler_steps;
        uint32_t lane[adler_lanes] = {0}, earlier[adler_lanes] = {0};
        for (size_t step = 0; step < steps; step++, bytes += adler_lanes) {
            for (int index = 0; index < adler_lanes; index++) {
                earlier[index] += lane[index];
                lane[index] += bytes[index];
            }
        }
        count -= steps * adler_lanes;
        sums += sum * steps * adler_lanes;
        for (uint64_t index = 0; index < adler_lanes; index++) {
            sums += (uint64_t)earlier[index] * adler_lanes + lane[index] * (adler_lanes - index);
            sum += lane[index];
        }
        sum %= adler_modulus;
        sums %= adler_modulus;
    }
    for (; count > 0; count--) {
        sum += *bytes++;
        sums += sum;
    }
    return (uint32_t)(sums % adler_modulus << 16 | sum % adler_modulus);
}

DISPATCH(uint32_t, png_adler32, (uint32_t checksum, const uint8_t *bytes, size_t count), (checksum, bytes, count))
