// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's main loop, which ends the process when it is done. Declared here because compiler-rt has no header for
/// it.
int LLVMFuzzerRunDriver(int *_Nonnull argc, char *_Nonnull *_Nonnull *_Nonnull argv,
                        int (*_Nonnull test)(const uint8_t *_Nonnull data, size_t size));
