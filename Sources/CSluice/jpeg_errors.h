// SPDX-License-Identifier: MIT
#pragma once

// jpeglib.h uses size_t and FILE without including them.
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#include "csluice_status.h"

/// libjpeg's error manager, which jumps to `jump_buffer` with a status and counts warnings as damage or harmless.
typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf jump_buffer;
    csluice_status status;
    int damage, harmless;
    char message[JMSG_LENGTH_MAX];
} csluice_jpeg_errors;

/// Initializes the manager.
struct jpeg_error_mgr *csluice_jpeg_errors_init(csluice_jpeg_errors *errors);
/// Counts damage that the library does not detect.
void csluice_jpeg_add_damage(j_common_ptr cinfo, const char *message);
/// Ends the current call with a status of our own.
_Noreturn void csluice_jpeg_fail(j_common_ptr cinfo, csluice_status status, const char *message);
