// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

#include "clibraries_sha256.h"

/// A library that is loaded when one of its functions is first called, because loading it takes long and many commands
/// do not need it.
///
/// On Linux this module defines the functions of these libraries that Sluice calls, each of which calls the loaded
/// one. Swift code calls them as if it were linked with the library.
typedef enum {
    clibraries_avif,
    clibraries_brotlidec,
    clibraries_crypto,
    clibraries_curl,
    clibraries_microhttpd,
    clibraries_psl,
    clibraries_ssl,
    clibraries_tiff,
    clibraries_xml2,
} clibraries_library;

/// Loads a library; returns whether it is there. It stays loaded.
bool clibraries_load(clibraries_library library);

/// Loads all libraries that are there.
void clibraries_load_all(void);

/// Returns whether a library has been loaded.
bool clibraries_is_loaded(clibraries_library library);
