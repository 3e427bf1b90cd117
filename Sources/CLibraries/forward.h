// SPDX-License-Identifier: MIT
#pragma once

#include <stdatomic.h>

#include "CLibraries.h"

/// Returns a function of a library, which is loaded if necessary, and keeps its address in `place`.
///
/// Ends the process with a message if the library or the function is not there, as the dynamic linker would do at the
/// start of the process.
void *clibraries_find(clibraries_library library, const char *name, _Atomic(void *) *place);

/// Makes a symbol invisible for the libraries, whose calls of their own functions must not end here.
#define HIDDEN __attribute__((visibility("hidden")))

/// The address of a library's function, whose type is that of its declaration.
#define LOADED(library, name) \
    ({ \
        static _Atomic(void *) place; \
        void *found = atomic_load_explicit(&place, memory_order_acquire); \
        (__typeof__(&name))(found ? found : clibraries_find(library, #name, &place)); \
    })

/// Defines a function that calls the function of the same name in a library.
#define FORWARD(library, type, name, parameters, arguments) \
    HIDDEN type name parameters { return LOADED(library, name) arguments; }
