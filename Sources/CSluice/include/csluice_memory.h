// SPDX-License-Identifier: MIT
#pragma once

/// Returns memory that was given back, and that the C library keeps for later, to the system.
/// Exists because only some C libraries have a call for it.
void csluice_return_memory(void);
