// SPDX-License-Identifier: MIT
#pragma once
#include <lcms2.h>

// These functions exist because lcms2 defines its pixel layouts as function-like macros, which Swift cannot import.

static inline cmsUInt32Number clcms_grey8(void) { return TYPE_GRAY_8; }
static inline cmsUInt32Number clcms_rgb8(void) { return TYPE_RGB_8; }
static inline cmsUInt32Number clcms_rgba8(void) { return TYPE_RGBA_8; }
/// Inverted CMYK: 255 means no ink.
static inline cmsUInt32Number clcms_cmyk8_light(void) { return TYPE_CMYK_8_REV; }
