// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <libpsl.h>

#include "forward.h"

FORWARD(clibraries_psl, const psl_ctx_t *, psl_builtin, (void), ())
FORWARD(clibraries_psl, int, psl_is_public_suffix, (const psl_ctx_t *list, const char *name), (list, name))
FORWARD(clibraries_psl, const char *, psl_registrable_domain, (const psl_ctx_t *list, const char *host), (list, host))

#endif
