// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "csluice_memory.h"

#ifdef __GLIBC__
#include <malloc.h>

void csluice_release_free_memory(void) { malloc_trim(0); }
#else
void csluice_release_free_memory(void) {}
#endif
