// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A SHA-256 that is computed by the processor's instructions for it, as fast as libcrypto.
///
/// Exists because loading and initializing libcrypto takes longer than making a thumbnail, and runs without a network
/// need nothing else of it.
typedef struct {
    uint32_t state[8];
    /// The number of bytes so far.
    uint64_t count;
    /// The bytes after the last whole block.
    uint8_t rest[64];
} clibraries_sha256;

/// Returns whether the processor has the instructions; the functions below need them.
bool clibraries_has_sha256(void);

/// Starts with no bytes.
void clibraries_sha256_begin(clibraries_sha256 *_Nonnull hash);

/// Adds bytes.
void clibraries_sha256_update(clibraries_sha256 *_Nonnull hash, const void *_Nullable bytes, size_t count);

/// Writes the digest of all bytes, and starts again.
void clibraries_sha256_finish(clibraries_sha256 *_Nonnull hash, uint8_t digest[_Nonnull 32]);
