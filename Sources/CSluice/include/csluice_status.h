// SPDX-License-Identifier: MIT
#pragma once

/// The result of a call into a codec; after a failure, every later call returns the same status.
///
/// Exists because libjpeg and libpng report errors by jumping out of the call. Each function here catches the jump in C
/// and returns a status instead, so that no jump ever crosses a Swift frame.
typedef enum __attribute__((enum_extensibility(closed))) {
    csluice_status_ok __attribute__((swift_name("ok"))) = 0,
    /// The data is invalid.
    csluice_status_corrupt __attribute__((swift_name("corrupt"))),
    /// The data ends before the image does.
    csluice_status_truncated __attribute__((swift_name("truncated"))),
    /// The library does not support this kind of data.
    csluice_status_unsupported __attribute__((swift_name("unsupported"))),
    /// The allowed memory, or the available memory, does not suffice.
    csluice_status_memory __attribute__((swift_name("memory"))),
    /// The file could not be read.
    csluice_status_disk __attribute__((swift_name("disk"))),
} csluice_status __attribute__((swift_name("CodecStatus")));
