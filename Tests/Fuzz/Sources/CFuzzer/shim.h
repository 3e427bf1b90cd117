// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own loop, which compiler-rt has no header for; it ends the process when it is done.
int LLVMFuzzerRunDriver(int *_Nonnull argc, char *_Nonnull *_Nonnull *_Nonnull argv,
                        int (*_Nonnull test)(const uint8_t *_Nonnull data, size_t size));
