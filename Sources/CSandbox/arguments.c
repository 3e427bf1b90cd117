// SPDX-License-Identifier: MIT
#include "CSandbox.h"

static int argument_count;
static char **arguments;

/// Remembers the arguments; on Linux the loader passes them to constructors.
__attribute__((constructor)) static void remember_arguments(int count, char **values) {
    argument_count = count;
    arguments = values;
}

int csandbox_arguments(char *_Nullable const *_Nullable *_Nonnull values) {
    *values = arguments;
    return argument_count;
}
