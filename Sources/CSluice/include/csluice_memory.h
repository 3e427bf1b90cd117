// SPDX-License-Identifier: MIT
#pragma once

/// Returns freed memory that the C library keeps in reserve to the system.
/// Exists because only some C libraries have a function for this.
void csluice_release_free_memory(void);
