// SPDX-License-Identifier: MIT
#include "clibraries_sha256.h"

#include <string.h>

enum { block_bytes = 64, length_bytes = 8 };

#if defined(__x86_64__)
#include <immintrin.h>

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/// Adds whole blocks to the state. The instructions take it in two halves, which hold its words ABEF and CDGH.
__attribute__((target("sha,sse4.1"))) static void add_blocks(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; blocks > 0; blocks--, bytes += block_bytes) {
        __m128i first_abef = abef, first_cdgh = cdgh, words[4];
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
            __m128i *word = &words[i % 4];
            const __m128i *last = &words[(i + 3) % 4];
            if (i < 4) {
                *word = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes + i), big_endian);
            } else {
                *word = _mm_sha256msg1_epu32(*word, words[(i + 1) % 4]);
                *word = _mm_add_epi32(*word, _mm_alignr_epi8(*last, words[(i + 2) % 4], 4));
                *word = _mm_sha256msg2_epu32(*word, *last);
            }
            __m128i sum = _mm_add_epi32(*word, _mm_loadu_si128((const __m128i *)constants + i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
        }
        abef = _mm_add_epi32(abef, first_abef);
        cdgh = _mm_add_epi32(cdgh, first_cdgh);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool clibraries_has_sha256(void) { return __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1"); }
#else
static void add_blocks(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
    (void)state, (void)bytes, (void)blocks;
}

bool clibraries_has_sha256(void) { return false; }
#endif

void clibraries_sha256_begin(clibraries_sha256 *hash) {
    *hash = (clibraries_sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
    };
}

void clibraries_sha256_update(clibraries_sha256 *hash, const void *bytes, size_t count) {
    if (count == 0) return;
    const uint8_t *next = bytes;
    size_t used = hash->count % block_bytes, room = block_bytes - used;
    hash->count += count;
    if (used > 0) {
        size_t taken = count < room ? count : room;
        memcpy(hash->rest + used, next, taken);
        if (taken < room) return;
        add_blocks(hash->state, hash->rest, 1);
        next += taken;
        count -= taken;
    }
    add_blocks(hash->state, next, count / block_bytes);
    memcpy(hash->rest, next + count / block_bytes * block_bytes, count % block_bytes);
}

void clibraries_sha256_finish(clibraries_sha256 *hash, uint8_t digest[32]) {
    uint64_t bits = __builtin_bswap64(hash->count * 8);
    size_t used = hash->count % block_bytes;
    // One bit that is set, zeros, and the length at the end of a block.
    uint8_t padding[block_bytes + length_bytes] = {0x80};
    size_t zeros_end = used < block_bytes - length_bytes ? block_bytes - length_bytes : 2 * block_bytes - length_bytes;
    clibraries_sha256_update(hash, padding, zeros_end - used);
    clibraries_sha256_update(hash, &bits, sizeof bits);
    for (int i = 0; i < 8; i++) {
        uint32_t word = __builtin_bswap32(hash->state[i]);
        memcpy(digest + 4 * i, &word, sizeof word);
    }
    clibraries_sha256_begin(hash);
}
