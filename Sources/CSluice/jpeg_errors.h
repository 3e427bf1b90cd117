// SPDX-License-Identifier: MIT
#pragma once

// jpeglib.h uses size_t and FILE without including them.
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#include "csluice_verdict.h"

/// libjpeg's error manager, which jumps to `landing` with the verdict told, and sorts the warnings.
typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf landing;
    csluice_verdict verdict;
    int damage, oddities;
    char message[JMSG_LENGTH_MAX];
} csluice_jpeg_errors;

/// Sets the manager up.
struct jpeg_error_mgr *csluice_jpeg_errors_init(csluice_jpeg_errors *errors);
/// Counts damage that the library does not see.
void csluice_jpeg_damage_found(j_common_ptr cinfo, const char *message);
/// Ends the call under way with a verdict of our own.
_Noreturn void csluice_jpeg_fail(j_common_ptr cinfo, csluice_verdict verdict, const char *message);
